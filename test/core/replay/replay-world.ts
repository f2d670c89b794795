import type { LedgerItem } from "../../../lambdas/core/ledger.ts";
import { replay } from "../../../lambdas/core/replay/replay.ts";
import type { ReplayPorts } from "../../../lambdas/core/replay/replay-ports.ts";
import { parseReplayRequest } from "../../../lambdas/core/replay/replay-request.ts";
import type { ReplayResult } from "../../../lambdas/core/replay/replay-result.ts";
import { type Settings, settingsOf } from "../../../lambdas/core/settings.ts";
import { KEYS } from "../drain/drain-stage.ts";
import { MemoryFifo } from "../memory-fifo.ts";
import { VirtualClock } from "../virtual-clock.ts";
import { faultyCalls, idIn } from "./faulty-calls.ts";
import { madeEntries } from "./made-entries.ts";
import { MAX_RECEIVES, madeLetters } from "./made-letters.ts";
import { SearchingLedger } from "./searching-ledger.ts";
import { worldConsumer } from "./world-consumer.ts";
import { worldLease } from "./world-lease.ts";

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
  const lease = worldLease(clock);
  const { faults, port, send } = faultyCalls(clock);
  const entries = madeEntries({ settings, clock, ledger });
  let runs = 0;

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
    faults,
    lease: lease.lease,
    setLease: lease.setLease,
    applied: entries.applied,
    ...madeLetters({ settings, clock, ledger, letters }),
    ...worldConsumer({ settings, clock, ledger, source, letters, calls, failing }),
    ids: (queue: MemoryFifo) => queue.stored.map(({ attributes }) => attributes["id"]?.stringValue),

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
            port("standings", records[0]?.id, () => ledger.standings(records)),
          markApplied: (record, options) =>
            port("markApplied", record.id, () => ledger.markApplied(record, options)),
          markDead: (record, death) =>
            port("markDead", record.id, () => ledger.markDead(record, death)),
        },
        ledger: {
          name: "ledger",
          currentLease: () => port("currentLease", "*", () => lease.current()),
          requestCancel: (runId) => port("requestCancel", "*", () => lease.cancel(runId)),
          batchEntries: (partition, upTo, limit) =>
            port("batchEntries", String(partition), () =>
              entries.entriesOf(partition, upTo, limit),
            ),
          acquireLease: (wanted) => port("acquireLease", "*", () => lease.acquire(wanted)),
          releaseLease: (runId) => port("releaseLease", "*", () => lease.release(runId)),
          deadRecords: (partition) =>
            port("deadRecords", "*", () =>
              [...ledger.items.values()].filter(
                (item) => item.state === "dead" && (partition ?? item.partition) === item.partition,
              ),
            ),
          items: (ids) => port("items", "*", () => itemsOf(ids)),
        },
        letters: {
          receive: (seconds) => port("receive", "*", () => letters.receive(seconds * 1000)),
          size: () => port("size", "*", () => letters.size()),
          send: (message) => send("renew", letters, message),
          remove: ({ messageId, receiptHandle }) =>
            port("remove", idOf(letters, messageId), () => letters.remove(receiptHandle)),
          giveBack: (held) =>
            port("giveBack", "*", () => {
              for (const { receiptHandle } of held) letters.show(receiptHandle);
            }),
        },
        source: {
          async send(message) {
            const outcome = await send("send", source, message);
            if (outcome.kind === "accepted") {
              sends.push({ id: idIn(message) ?? "", atMs: clock.nowMs() });
            }
            return outcome;
          },
        },
      };
    },
  };

  function itemsOf(ids: readonly string[]): ReadonlyMap<string, LedgerItem> {
    return new Map(
      ids.flatMap((id) => {
        const item = ledger.items.get(id);
        return item === undefined ? [] : [[id, item] as const];
      }),
    );
  }

  return self;
}

function idOf(queue: MemoryFifo, messageId: string): string | undefined {
  const stored = queue.stored.find((message) => message.messageId === messageId);
  return stored === undefined ? undefined : idIn(stored);
}
