import { drainBatch } from "../../../lambdas/core/drain/drain-batch.ts";
import type { LedgerItem, RecordRef, Standing } from "../../../lambdas/core/ledger.ts";
import { keyHash, partitionOf } from "../../../lambdas/core/partition.ts";
import type { Delivery, MessageAttributes } from "../../../lambdas/core/record.ts";
import { replay } from "../../../lambdas/core/replay/replay.ts";
import type {
  EntryPage,
  Lease,
  OutgoingMessage,
  ReplayPorts,
  SendOutcome,
} from "../../../lambdas/core/replay/replay-ports.ts";
import { parseReplayRequest } from "../../../lambdas/core/replay/replay-request.ts";
import type { ReplayResult } from "../../../lambdas/core/replay/replay-result.ts";
import { type Settings, settingsOf } from "../../../lambdas/core/settings.ts";
import { letterDeduplicationId, sqsIdOf } from "../../../lambdas/core/wire/identity.ts";
import { compareOffsets } from "../../../lambdas/core/wire/offset.ts";
import { encodeKey } from "../../../lambdas/core/wire/wire.ts";
import { encodeLetter, encodeReplay } from "../../../lambdas/core/wire/wire-metadata.ts";
import { KEYS } from "../drain/drain-stage.ts";
import { MemoryFifo } from "../memory-fifo.ts";
import { MemoryLedger } from "../memory-ledger.ts";
import { VirtualClock } from "../virtual-clock.ts";

const MAX_RECEIVES = 100;

type MadeRecord = {
  readonly key?: string;
  readonly partition?: number;
  readonly enqueuedAtMs?: number;
  readonly body?: string;
  readonly extra?: MessageAttributes;
};

type MadeLetter = MadeRecord & {
  readonly offset?: number | undefined;
  readonly generation?: number;
  readonly reason?: string;
  readonly failedAtMs?: number;
  /** False: the crash came between the send and the mark. */
  readonly listed?: boolean;
};

/** A fault that a port call meets. */
export type Fault = "refused" | "lost" | "failed";

export type World = ReturnType<typeof replayWorld>;

/** Both queues, the ledger, a consumer that runs beside, and replays, all in virtual time. */
export function replayWorld(given: Partial<Settings> = {}) {
  const settings = settingsOf({ partitions: KEYS.length, maxReceiveCount: MAX_RECEIVES, ...given });
  const clock = new VirtualClock();
  const ledger = new SearchingLedger();
  const source = new MemoryFifo("s", clock);
  const letters = new MemoryFifo("d", clock);
  const calls: string[] = [];
  const sends: { readonly id: string; readonly atMs: number }[] = [];
  const failing = new Map<string, string>();
  const cancelled = new Set<string>();
  const entryFacts = new Map<
    object,
    { readonly keys: readonly string[]; readonly appliedAtMs: number }
  >();
  let lease: Lease | undefined;
  let runs = 0;
  let invocations = 0;

  const self = {
    settings,
    clock,
    ledger,
    source,
    letterQueue: letters,
    /** Ids given to the game's handler, in order. */
    calls,
    /** Accepted sends to the source queue, in order. */
    sends,
    /** Id -> reason: the handler throws for these. */
    failing,
    /** Name of a port call and id (or `*`) -> fault it meets. */
    faults: new Map<string, Fault>(),
    /** How long each port call takes. */
    latencyMs: () => 5,
    lease: () => lease,
    setLease(next: Lease | undefined) {
      lease = next;
    },
    ids: (queue: MemoryFifo) => queue.stored.map(({ attributes }) => attributes["id"]?.stringValue),

    /** Records of one batch that a plain handler applied, as the ledger remembers them. */
    applied(
      offset: number,
      records: Readonly<Record<string, string>>,
      appliedAtMs = clock.nowMs(),
    ) {
      const keys = Object.values(records);
      const partition = partitionOf(keys[0] ?? "", settings.partitions);
      const entry = { partition, offset: sequence(offset), ids: new Set(Object.keys(records)) };
      ledger.entries.push(entry);
      entryFacts.set(entry, { keys, appliedAtMs });
    },

    /** A letter as the consumer writes it. */
    letter(id: string, made: MadeLetter = {}) {
      const record = recordOf(id, made);
      const { generation = 0, reason = "out of stock", listed = true } = made;
      const { failedAtMs = clock.nowMs(), body = `payload of ${id}` } = made;
      const facts = { ...record, generation, attempts: 3, reason, failedAtMs };
      const attributes = {
        ...attributesOf(id, made),
        deadLetter: encodeLetter(facts),
      };
      const messageId = `first-${id}-${generation}`;
      letters.send({
        body,
        attributes,
        group: sqsIdOf(id),
        deduplicationId: letterDeduplicationId(id, generation, messageId),
      });
      if (listed) {
        ledger.items.set(id, {
          ...itemOf(record),
          generation,
          attempts: 3,
          messageId,
          reason,
          failedAtMs,
        });
      }
    },

    /** A letter that SQS moved by itself: in its partition's group, without facts. */
    native(id: string, made: MadeLetter = {}) {
      const { partition, enqueuedAtMs } = recordOf(id, made);
      const generation = made.generation ?? 0;
      const offset = made.offset === undefined ? undefined : sequence(made.offset);
      letters.put({
        messageId: `first-${id}`,
        group: String(partition),
        body: made.body ?? `payload of ${id}`,
        receives: MAX_RECEIVES,
        attributes: {
          ...attributesOf(id, made),
          ...(generation > 0 && {
            replay: encodeReplay({ generation, offset, enqueuedAtMs, runId: "earlier" }),
          }),
        },
      });
    },

    /** Runs the consumer until the source queue gives nothing more. */
    async consume() {
      for (;;) {
        const visibilityMs = settings.visibilityTimeoutSeconds * 1000;
        const batch = source.receive(visibilityMs);
        if (batch.length === 0) return;
        invocations += 1;
        const deadlineMs = clock.nowMs() + settings.consumerTimeoutSeconds * 1000;
        const invocation = { id: `invocation-${invocations}`, deadlineMs };
        const failed = new Set(await drainBatch(batch, invocation, consumerPorts));
        for (const { messageId, receiptHandle } of batch) {
          if (!failed.has(messageId)) source.remove(receiptHandle);
        }
      }
    },

    /** One run with the consumer beside it. */
    replay(event: unknown = {}, aheadMs = 60_000): Promise<ReplayResult> {
      let over = false;
      const consumer = async () => {
        while (!over) {
          await self.consume();
          await clock.sleep(100);
        }
      };
      const run = self.start(event, aheadMs).finally(() => {
        over = true;
      });
      void consumer();
      return clock.run(run);
    },

    /** One run, nothing beside it; for tests that run more things at once. */
    start(event: unknown = {}, aheadMs = 60_000, ports: ReplayPorts = self.ports()) {
      runs += 1;
      const run = { runId: `run-${runs}`, deadlineMs: clock.nowMs() + aheadMs };
      return replay(parseReplayRequest(event, settings), run, ports);
    },

    ports(): ReplayPorts {
      return {
        clock,
        settings,
        records: {
          standings: (records) =>
            self.port("standings", records[0]?.id, () => ledger.standings(records)),
          markApplied: (record, options) =>
            self.port("markApplied", record.id, () => ledger.markApplied(record, options)),
          markDead: (record, death) =>
            self.port("markDead", record.id, () => ledger.markDead(record, death)),
        },
        ledger: {
          name: "ledger",
          currentLease: () =>
            self.port("currentLease", "*", () => {
              if (lease === undefined || lease.expiresAtMs <= clock.nowMs()) return undefined;
              return { ...lease, cancelled: cancelled.has(lease.runId) };
            }),
          requestCancel: (runId) =>
            self.port("requestCancel", "*", () => {
              if (lease?.runId !== runId || lease.expiresAtMs <= clock.nowMs()) return false;
              cancelled.add(runId);
              return true;
            }),
          batchEntries: (partition, upTo, limit) =>
            self.port("batchEntries", String(partition), () => entriesOf(partition, upTo, limit)),
          acquireLease: (wanted) => self.port("acquireLease", "*", () => acquire(wanted)),
          releaseLease: (runId) =>
            self.port("releaseLease", "*", () => {
              if (lease?.runId === runId) lease = undefined;
            }),
          deadRecords: (partition) =>
            self.port("deadRecords", "*", () =>
              [...ledger.items.values()].filter(
                (item) => item.state === "dead" && (partition ?? item.partition) === item.partition,
              ),
            ),
          items: (ids) => self.port("items", "*", () => itemsOf(ids)),
        },
        letters: {
          receive: (seconds) => self.port("receive", "*", () => letters.receive(seconds * 1000)),
          size: () => self.port("size", "*", () => letters.size()),
          send: (message) => self.send("renew", letters, message),
          remove: ({ messageId, receiptHandle }) =>
            self.port("remove", idOf(letters, messageId), () => letters.remove(receiptHandle)),
          giveBack: (held) =>
            self.port("giveBack", "*", () => {
              for (const { receiptHandle } of held) letters.show(receiptHandle);
            }),
        },
        source: {
          async send(message) {
            const outcome = await self.send("send", source, message);
            if (outcome.kind === "accepted") {
              sends.push({ id: idIn(message) ?? "", atMs: clock.nowMs() });
            }
            return outcome;
          },
        },
      };
    },

    async send(call: string, queue: MemoryFifo, message: OutgoingMessage): Promise<SendOutcome> {
      await clock.sleep(self.latencyMs());
      const fault = self.faults.get(`${call} ${idIn(message)}`) ?? self.faults.get(`${call} *`);
      if (fault === "refused") return { kind: "refused", reason: "not allowed" };
      if (fault === "failed") return { kind: "unknown", reason: "no answer" };
      const messageId = queue.send(message);
      if (fault === "lost") return { kind: "unknown", reason: "no answer" };
      return { kind: "accepted", messageId };
    },

    async port<T>(call: string, id: string | undefined, act: () => T | Promise<T>): Promise<T> {
      await clock.sleep(self.latencyMs());
      const fault = self.faults.get(`${call} ${id}`) ?? self.faults.get(`${call} *`);
      if (fault === "failed") throw new Error(`${call} failed`);
      const result = await act();
      if (fault === "lost") throw new Error(`the answer to ${call} was lost`);
      return result;
    },
  };

  const consumerPorts = {
    handle: async ({ id }: { readonly id: string }) => {
      calls.push(id);
      const reason = failing.get(id);
      if (reason !== undefined) throw new Error(reason);
      return { effects: [{ add: id }] };
    },
    ledger,
    deadLetters: {
      async send(
        delivery: Delivery,
        { id, ...facts }: RecordRef & Parameters<typeof encodeLetter>[0],
      ) {
        const { replay: _, ...kept } = delivery.attributes;
        letters.send({
          body: delivery.body,
          attributes: { ...kept, deadLetter: encodeLetter(facts) },
          group: sqsIdOf(id),
          deduplicationId: letterDeduplicationId(id, facts.generation, delivery.messageId),
        });
      },
    },
    source: {
      async setVisibility(deliveries: readonly Delivery[], seconds: number) {
        for (const { receiptHandle } of deliveries) source.show(receiptHandle, seconds * 1000);
      },
    },
    clock,
    report: () => undefined,
    random: () => 0,
    settings,
  } as unknown as Parameters<typeof drainBatch>[2];

  function acquire(wanted: Lease): Lease | undefined {
    if (lease !== undefined && lease.expiresAtMs > clock.nowMs()) return lease;
    lease = wanted;
    return undefined;
  }

  function entriesOf(partition: number, upTo: string | undefined, limit: number): EntryPage {
    const found = ledger.entries
      .filter((entry) => entry.partition === partition && compareOffsets(entry.offset, upTo) <= 0)
      .toSorted((left, right) => compareOffsets(right.offset, left.offset));
    const entries = found.slice(0, limit).map((entry) => {
      const { keys = [], appliedAtMs = 0 } = entryFacts.get(entry) ?? {};
      const { offset, ids } = entry;
      return { offset, ids, keyHashes: [...new Set(keys.map(keyHash))], appliedAtMs };
    });
    return { entries, end: found.length <= limit };
  }

  function itemsOf(ids: readonly string[]): ReadonlyMap<string, LedgerItem> {
    return new Map(
      ids.flatMap((id) => {
        const item = ledger.items.get(id);
        return item === undefined ? [] : [[id, item] as const];
      }),
    );
  }

  function recordOf(id: string, made: MadeLetter): RecordRef {
    const key = made.key ?? KEYS[made.partition ?? 5] ?? "";
    return {
      id,
      key,
      partition: partitionOf(key, settings.partitions),
      offset:
        "offset" in made && made.offset === undefined ? undefined : sequence(made.offset ?? 1),
      enqueuedAtMs: made.enqueuedAtMs ?? clock.nowMs() - 1000,
      generation: made.generation ?? 0,
    };
  }

  function attributesOf(id: string, made: MadeLetter): MessageAttributes {
    const { key, enqueuedAtMs } = recordOf(id, made);
    return {
      id: { dataType: "String", stringValue: id },
      enqueuedAt: { dataType: "Number", stringValue: String(enqueuedAtMs) },
      ...encodeKey(key),
      ...made.extra,
    };
  }

  return self;
}

/** An offset as SQS writes it. */
export function sequence(offset: number): string {
  return String(18_860_000_000_000_000_000n + BigInt(offset));
}

function itemOf(record: RecordRef): LedgerItem {
  return {
    ...record,
    attempts: 0,
    attemptId: undefined,
    state: "dead",
    messageId: undefined,
    reason: undefined,
    failedAtMs: undefined,
  };
}

function idIn({ attributes }: Pick<OutgoingMessage, "attributes">): string | undefined {
  return attributes["id"]?.stringValue;
}

function idOf(queue: MemoryFifo, messageId: string): string | undefined {
  const stored = queue.stored.find((message) => message.messageId === messageId);
  return stored === undefined ? undefined : idIn(stored);
}

/** Looks through all entries of a partition where the offset is not known, as the real one does. */
class SearchingLedger extends MemoryLedger {
  /** Ids whose search ends at the cap. */
  readonly inconclusive = new Set<string>();

  override async standings(records: readonly RecordRef[]): Promise<readonly Standing[]> {
    const standings = await super.standings(records);
    return standings.map((standing, index) => {
      const record = records[index];
      if (record === undefined || record.offset !== undefined) return standing;
      if (this.inconclusive.has(record.id)) return { ...standing, entry: "unknown" };
      const named = this.entries.some(
        ({ partition, ids }) => partition === record.partition && ids.has(record.id),
      );
      return { ...standing, entry: named ? "named" : "absent" };
    });
  }
}
