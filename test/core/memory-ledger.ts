import {
  type Applied,
  type Attempt,
  type Counted,
  type Death,
  type EntryRecord,
  type Failure,
  type Ledger,
  type LedgerItem,
  NAMING_ENTRIES,
  type RecordRef,
  type Standing,
} from "../../lambdas/core/ledger.ts";
import { compareOffsets } from "../../lambdas/core/wire/offset.ts";

/** A write of the game, as these tests' handlers return it. */
export type TestEffect = { readonly add: string; readonly refuse?: true };

/** The rules of the ledger in memory, with a log of calls and one fault that a test can plant. */
export class MemoryLedger implements Ledger<TestEffect> {
  readonly items = new Map<string, LedgerItem>();
  readonly entries: { readonly partition: number; readonly offset: string; ids: Set<string> }[] =
    [];
  /** Effects that happened, in order. */
  readonly effects: string[] = [];
  /** Name of each call, in order. */
  readonly calls: string[] = [];
  /** Throws before or after the named call took effect, once. */
  fault: { readonly call: string; readonly when: "before" | "after" } | undefined;

  async standings(records: readonly RecordRef[]): Promise<readonly Standing[]> {
    return this.#call("standings", () =>
      records.map((record) => ({ item: this.items.get(record.id), entry: this.#entryOf(record) })),
    );
  }

  async count(record: RecordRef, attempt: Attempt, failure?: Failure): Promise<Counted> {
    return this.#call("count", (): Counted => {
      const item = this.items.get(record.id);
      if (item !== undefined && !mayCount(item, record, attempt)) return { kind: "refused", item };
      this.#put(record, {
        state: "retrying",
        attempts: attempt.attempts,
        attemptId: attempt.attemptId,
        messageId: undefined,
        reason: failure?.reason ?? item?.reason,
        failedAtMs: failure?.failedAtMs ?? item?.failedAtMs,
      });
      return { kind: "counted" };
    });
  }

  async uncount(record: RecordRef, attemptId: string): Promise<void> {
    this.#call("uncount", () => {
      const item = this.items.get(record.id);
      if (item?.attemptId === attemptId && item.state === "retrying") {
        const attempts = item.attempts - 1;
        this.items.set(record.id, { ...item, attempts, attemptId: undefined });
      }
    });
  }

  async noteFailure(
    record: RecordRef,
    { attemptId, reason, failedAtMs }: Failure & { readonly attemptId: string },
  ): Promise<void> {
    this.#call("noteFailure", () => {
      const item = this.items.get(record.id);
      if (item?.attemptId === attemptId && item.state === "retrying") {
        this.items.set(record.id, { ...item, reason, failedAtMs });
      }
    });
  }

  async markDead(record: RecordRef, death: Death): Promise<void> {
    this.#call("markDead", () => {
      const item = this.items.get(record.id);
      if (item?.state === "applied" || (item?.generation ?? 0) > record.generation) return;
      this.#put(record, { state: "dead", attemptId: undefined, ...death });
    });
  }

  async markApplied(record: RecordRef, options = { onlyExisting: false }): Promise<void> {
    this.#call("markApplied", () => {
      if (options.onlyExisting && !this.items.has(record.id)) return;
      this.#apply(record);
    });
  }

  async addEntry(partition: number, records: readonly EntryRecord[]): Promise<void> {
    this.#call("addEntry", () => {
      const [first] = records.map(({ offset }) => offset).toSorted(compareOffsets);
      const offset = first ?? "";
      const there = this.entries.find(
        (entry) => entry.partition === partition && entry.offset === offset,
      );
      const ids = new Set(records.map(({ id }) => id));
      if (there === undefined) this.entries.push({ partition, offset, ids });
      else there.ids = new Set([...there.ids, ...ids]);
    });
  }

  async applyWithEffects(record: RecordRef, effects: readonly TestEffect[]): Promise<Applied> {
    return this.#call("applyWithEffects", (): Applied => {
      if (this.items.get(record.id)?.state === "applied") return { kind: "already" };
      if (effects.some(({ refuse }) => refuse)) return { kind: "refused", reason: "no funds" };
      this.#apply(record);
      this.effects.push(...effects.map(({ add }) => add));
      return { kind: "applied" };
    });
  }

  #call<T>(call: string, act: () => T): T {
    this.calls.push(call);
    const fault = this.fault?.call === call ? this.fault : undefined;
    if (fault !== undefined) this.fault = undefined;
    if (fault?.when === "before") throw new Error(`the ledger refused ${call}`);
    const result = act();
    if (fault?.when === "after") throw new Error(`the reply to ${call} was lost`);
    return result;
  }

  #apply(record: RecordRef): void {
    const item = this.items.get(record.id);
    const generation = Math.max(item?.generation ?? 0, record.generation);
    this.#put(
      { ...record, generation },
      {
        state: "applied",
        attempts: item?.attempts ?? 0,
        attemptId: undefined,
        messageId: undefined,
        reason: item?.reason,
        failedAtMs: item?.failedAtMs,
      },
    );
  }

  #put(
    record: RecordRef,
    rest: Pick<
      LedgerItem,
      "state" | "attempts" | "attemptId" | "messageId" | "reason" | "failedAtMs"
    >,
  ): void {
    const { letterSentAtMs } = this.items.get(record.id) ?? {};
    this.items.set(record.id, { ...record, letterSentAtMs, ...rest });
  }

  /** A record whose offset is unknown is looked for in all entries of its partition. */
  #entryOf({ id, partition, offset }: RecordRef): Standing["entry"] {
    const candidates = this.entries
      .filter((entry) => entry.partition === partition && compareOffsets(entry.offset, offset) <= 0)
      .toSorted((a, b) => compareOffsets(b.offset, a.offset))
      .slice(0, offset === undefined ? undefined : NAMING_ENTRIES);
    return candidates.some(({ ids }) => ids.has(id)) ? "named" : "absent";
  }
}

function mayCount(item: LedgerItem, record: RecordRef, attempt: Attempt): boolean {
  if (item.state === "applied") return false;
  if (item.generation !== record.generation) return item.generation < record.generation;
  return item.state === "retrying"
    ? item.attempts === attempt.attempts - 1
    : item.messageId !== attempt.messageId;
}
