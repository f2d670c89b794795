import type { ActRun } from "../../../lambdas/core/acts/record-act.ts";
import type { LedgerItem, RecordRef } from "../../../lambdas/core/ledger.ts";
import { EXPIRY_TOLERANCE_MS } from "../../../lambdas/core/letters/letter-expiry.ts";
import type { RenewalPorts } from "../../../lambdas/core/letters/letter-ports.ts";
import type { LetterMarks, Withheld } from "../../../lambdas/core/letters/withheld.ts";
import { partitionOf } from "../../../lambdas/core/partition.ts";
import type { MessageAttributes } from "../../../lambdas/core/record.ts";
import type { Lease, OutgoingMessage } from "../../../lambdas/core/replay/replay-ports.ts";
import { settingsOf } from "../../../lambdas/core/settings.ts";
import { readArrival } from "../../../lambdas/core/wire/arrival.ts";
import { letterDeduplicationId, sqsIdOf } from "../../../lambdas/core/wire/identity.ts";
import { encodeKey } from "../../../lambdas/core/wire/wire.ts";
import { encodeLetter } from "../../../lambdas/core/wire/wire-metadata.ts";
import { MemoryFifo } from "../memory-fifo.ts";
import { MemoryLedger } from "../memory-ledger.ts";
import { VirtualClock } from "../virtual-clock.ts";

export const DAY_MS = 86_400_000;

/** The process ended at a call; no call of it happens after. */
export class DiedError extends Error {
  override readonly name = "DiedError";
}

type Made = {
  readonly key?: string;
  readonly body?: string;
  readonly reason?: string;
  readonly attributes?: MessageAttributes;
  /** False: a crash came between the letter and its mark. */
  readonly listed?: boolean;
};

export type LetterWorld = ReturnType<typeof letterWorld>;

/** The dead-letter queue, the ledger and its marks in virtual time, for a process that may die. */
export function letterWorld() {
  const settings = settingsOf({ partitions: 16 });
  const clock = new VirtualClock();
  const ledger = new MemoryLedger();
  const queue = new MemoryFifo("d", clock);
  const source = new MemoryFifo("s", clock);
  const marked = new Map<string, { readonly mark: Withheld; readonly item: LedgerItem }>();
  const sentAt = new Map<string, number>();
  const edits = new Map<string, unknown>();
  /** Their items stay, dead and in no list. */
  const purged = new Set<string>();
  let lease: Lease | undefined;
  let calls = 0;
  let offsets = 0;

  const self = {
    settings,
    clock,
    ledger,
    queue,
    source,
    sentAt,
    edits,
    /** Call at which the process dies: before it happens, or after. */
    death: undefined as { readonly call: number; readonly when: "before" | "after" } | undefined,
    /** How many letters of the queue SQS's counts leave out. */
    hidden: 0,
    sendOutcome: "accepted" as "accepted" | "refused" | "lost" | "failed",

    /** A dead record with its letter. */
    dead(id: string, made: Made = {}): RecordRef {
      const key = made.key ?? "player";
      offsets += 1;
      const record = {
        id,
        key,
        partition: partitionOf(key, settings.partitions),
        offset: String(18_860_000_000_000_000_000n + BigInt(offsets)),
        enqueuedAtMs: clock.nowMs() - 1000,
        generation: 0,
      };
      const facts = { reason: made.reason ?? "no gold", failedAtMs: clock.nowMs(), attempts: 3 };
      queue.send({
        body: made.body ?? "old",
        attributes: {
          id: { dataType: "String", stringValue: id },
          ...encodeKey(key),
          ...made.attributes,
          deadLetter: encodeLetter({ ...record, ...facts }),
        },
        group: sqsIdOf(id),
        deduplicationId: letterDeduplicationId(id, 0, `source-${id}`),
      });
      if (made.listed !== false) {
        ledger.items.set(id, {
          ...record,
          ...facts,
          attemptId: undefined,
          state: "dead",
          messageId: `source-${id}`,
        });
      }
      return record;
    },

    /** A message that SQS moved itself: into its partition's group, without facts, unlisted. */
    moved(id: string, key: string, body = "moved"): void {
      queue.put({
        messageId: `source-${id}`,
        group: String(partitionOf(key, settings.partitions)),
        body,
        attributes: { id: { dataType: "String", stringValue: id }, ...encodeKey(key) },
      });
    },

    /** As a move of its letter left it that ended between the ledger and the queue. */
    buried(id: string): void {
      const letter = queue.stored.find(({ attributes }) => attributes["id"]?.stringValue === id);
      if (letter === undefined) throw new Error(`there is a letter of ${id}`);
      const { identity } = readArrival({ ...letter, receives: 1 }, settings.partitions);
      ledger.items.set(id, {
        ...{ ...identity, offset: undefined, attempts: 0, attemptId: undefined, state: "dead" },
        ...{ reason: "moved by SQS", failedAtMs: clock.nowMs(), messageId: letter.messageId },
      });
    },

    /** Lets time pass until SQS has surely deleted all that is in the queue. */
    expire(): void {
      clock.block(settings.letterRetentionSeconds * 1000 + EXPIRY_TOLERANCE_MS);
      queue.stored.splice(0);
    },

    /** Withholds a record at once. */
    marked(id: string, kind: Withheld["kind"] = "discarded"): void {
      const item = ledger.items.get(id);
      if (item !== undefined) mark(item, kind, { who: "ann", why: "x", actId: "act", atMs: 1 });
    },

    /** Bodies in the queue, of one record or of all. */
    bodies: (id?: string): readonly string[] =>
      queue.stored
        .filter(({ attributes }) => id === undefined || attributes["id"]?.stringValue === id)
        .map(({ body }) => body),

    withheld: (): readonly string[] => standing().map(({ id, kind }) => `${id} ${kind}`),

    /** Ids that the index lists. */
    listed: (): readonly string[] => open().map(({ id }) => id),

    run(seconds = 60): ActRun {
      const startedAtMs = clock.nowMs();
      calls = 0;
      const runId = `run-${startedAtMs}`;
      return { runId, startedAtMs, deadlineMs: startedAtMs + seconds * 1000 };
    },

    calls: () => calls,

    /** As after a process that died: its lease and its visibility timeouts have run out. */
    later(ms = 3_600_000): void {
      self.death = undefined;
      clock.block(ms);
    },

    ports(): RenewalPorts {
      return {
        clock,
        settings,
        records: {
          standings: (records) => port(() => ledger.standings(records)),
          markApplied: (record, options) => port(() => ledger.markApplied(record, options)),
          markDead: (record, death) => port(() => ledger.markDead(record, death)),
        },
        ledger: {
          name: "ledger",
          currentLease: async () => undefined,
          requestCancel: async () => false,
          batchEntries: async () => ({ entries: [], end: true }),
          acquireLease: (wanted: Lease) => port(() => acquire(wanted)),
          releaseLease: (runId: string) =>
            port(() => {
              if (lease?.runId === runId) lease = undefined;
            }),
          deadRecords: (partition: number | undefined) =>
            port(() => open().filter((item) => (partition ?? item.partition) === item.partition)),
          items: (ids: readonly string[]) =>
            port(
              () =>
                new Map(
                  ids.flatMap((id) => {
                    const item = ledger.items.get(id);
                    return item === undefined ? [] : [[id, item] as const];
                  }),
                ),
            ),
        } as RenewalPorts["ledger"],
        marks: marks(),
        letters: {
          receive: (seconds) => port(() => queue.receive(seconds * 1000)),
          size: () =>
            port(() => {
              const { visible, inFlight } = queue.size();
              return { visible, inFlight: inFlight + self.hidden };
            }),
          send: (message: OutgoingMessage) => port(() => send(queue, message)),
          remove: ({ receiptHandle }) => port(() => queue.remove(receiptHandle)),
          giveBack: (held) =>
            port(() => {
              for (const { receiptHandle } of held) queue.show(receiptHandle);
            }),
        } as RenewalPorts["letters"],
        source: { send: (message) => port(() => send(source, message)) },
      };
    },
  };

  function marks(): LetterMarks {
    return {
      withheld: () => port(standing),
      withhold: (item, kind, given) =>
        port(() => {
          const now = ledger.items.get(item.id);
          if (now?.state !== "dead" || now.generation !== item.generation) return false;
          mark(now, kind, given);
          return true;
        }),
      release: ({ id }, edited) =>
        port(() => {
          const { reason, ...edit } = edited ?? {};
          if (edited !== undefined) edits.set(id, edit);
          const was = standing().some((each) => each.id === id);
          marked.delete(id);
          const item = ledger.items.get(id);
          if (was && item !== undefined && reason !== undefined) {
            ledger.items.set(id, { ...item, reason });
          }
          return was;
        }),
      forget: ({ id }) =>
        port(() => {
          marked.delete(id);
          purged.add(id);
        }),
      noteSent: (id, sentAtMs) =>
        port(() => {
          sentAt.set(id, sentAtMs);
        }),
    };
  }

  function mark(item: LedgerItem, kind: Withheld["kind"], given: Withheld["mark"]): void {
    const { id, key, partition, offset, generation, enqueuedAtMs, reason, failedAtMs } = item;
    const facts = { id, key, partition, offset, generation, enqueuedAtMs, reason, failedAtMs };
    marked.set(id, { mark: { ...facts, kind, mark: given }, item });
  }

  /** Whatever writes a record's item again puts it back into the index. */
  function standing(): readonly Withheld[] {
    return [...marked.values()]
      .filter(({ mark, item }) => ledger.items.get(mark.id) === item)
      .map(({ mark }) => mark);
  }

  function open(): readonly LedgerItem[] {
    const withheld = new Set([...purged, ...standing().map(({ id }) => id)]);
    return [...ledger.items.values()].filter(
      ({ id, state }) => state === "dead" && !withheld.has(id),
    );
  }

  function acquire(wanted: Lease): Lease | undefined {
    if (lease !== undefined && lease.expiresAtMs > clock.nowMs()) return lease;
    lease = wanted;
    return undefined;
  }

  function send(to: MemoryFifo, message: OutgoingMessage) {
    if (self.sendOutcome === "refused") return { kind: "refused", reason: "not allowed" } as const;
    if (self.sendOutcome === "failed") return { kind: "unknown", reason: "no answer" } as const;
    const messageId = to.send(message);
    if (self.sendOutcome === "lost") return { kind: "unknown", reason: "no answer" } as const;
    return { kind: "accepted", messageId } as const;
  }

  async function port<T>(act: () => T | Promise<T>): Promise<T> {
    await clock.sleep(10);
    calls += 1;
    const { call = Number.POSITIVE_INFINITY, when = "before" } = self.death ?? {};
    if (calls > call || (calls === call && when === "before")) throw new DiedError();
    const result = await act();
    if (calls === call) throw new DiedError();
    return result;
  }

  return self;
}

/** Runs `act` in worlds whose process dies at its first call, its second, and so on, before and after
 *  each; then looks, lets time pass, runs it again, and looks at the end of it. */
export async function dyingEverywhere(
  make: () => LetterWorld,
  act: (world: LetterWorld) => Promise<unknown>,
  look: {
    readonly dead: (world: LetterWorld) => void;
    readonly after: (world: LetterWorld) => void;
  },
): Promise<number> {
  let deaths = 0;
  for (const when of ["before", "after"] as const) {
    for (let call = 1; ; call += 1) {
      const world = make();
      world.death = { call, when };
      await world.clock.run(act(world).catch(() => undefined));
      if (world.calls() < call) break;
      deaths += 1;
      look.dead(world);
      world.later();
      await world.clock.run(act(world));
      look.after(world);
    }
  }
  return deaths;
}
