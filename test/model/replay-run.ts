import { replay } from "../../lambdas/core/replay/replay.ts";
import type {
  OutgoingMessage,
  ReplayPorts,
  SendOutcome,
} from "../../lambdas/core/replay/replay-ports.ts";
import { parseReplayRequest } from "../../lambdas/core/replay/replay-request.ts";
import { type FifoQueue, idIn } from "./fifo-queue.ts";
import type { ProcessModel } from "./process-model.ts";
import type { World } from "./world.ts";

/** Time that one run has. */
const RUN_MS = 60_000;

/** One run of the replay's real code; ends when it does, or when its process dies. */
export async function runReplay(
  world: World,
  process: ProcessModel,
  leaseLost: boolean,
): Promise<void> {
  const request = parseReplayRequest({ requestedBy: process.name }, world.settings);
  const run = { runId: process.name, deadlineMs: world.clock.nowMs() + RUN_MS };
  world.tell(`${process.name} starts`, leaseLost ? "and sees no lease" : "");
  const running = replay(request, run, portsOf(world, process, leaseLost)).then(
    ({ examined, replayed, skipped, failed, pending, errors }) =>
      `examined ${examined}, replayed ${replayed}, skipped ${skipped}, failed ${failed.length}, pending ${pending}, ${errors.length} errors ${errors.map(({ id, error }) => `${id}: ${error}`).join("; ")}`,
    String,
  );
  world.tell(`${process.name} ends:`, await Promise.race([running, process.died]));
  process.kill();
}

function portsOf(world: World, process: ProcessModel, leaseLost: boolean): ReplayPorts {
  const { ledger, letters, clock, settings } = world;
  return {
    clock,
    settings,
    records: {
      standings: (records) =>
        process.call("standings", records[0]?.id ?? "", () => ledger.standings(records)),
      markApplied: (record, options) =>
        process.call("markApplied", record.id, () => ledger.markApplied(record, options)),
      markDead: (record, death) =>
        process.call("markDead", record.id, () => ledger.markDead(record, death)),
    },
    ledger: {
      name: "ledger",
      currentLease: async () => undefined,
      requestCancel: async () => false,
      batchEntries: async () => ({ entries: [], end: true }),
      acquireLease: (wanted) =>
        process.call("acquireLease", "", () => {
          const held = world.lease;
          const isHeld = held !== undefined && held.expiresAtMs > clock.nowMs();
          if (isHeld && held.runId !== wanted.runId && !leaseLost) return held;
          world.lease = wanted;
          return undefined;
        }),
      releaseLease: (runId) =>
        process.call("releaseLease", "", () => {
          if (world.lease?.runId === runId) world.lease = undefined;
        }),
      deadRecords: (partition) =>
        process.call("deadRecords", "", () =>
          [...ledger.items.values()].filter(
            (item) => item.state === "dead" && (partition ?? item.partition) === item.partition,
          ),
        ),
      items: (ids) =>
        process.call("items", ids[0] ?? "", () => {
          const found = ids.flatMap((id) => {
            const item = ledger.items.get(id);
            return item === undefined ? [] : [[id, item] as const];
          });
          return new Map(found);
        }),
    },
    letters: {
      receive: (seconds) =>
        process.call("receive", "", () => letters.receive(10, seconds * 1000, world.random)),
      size: () =>
        process.call("size", "", () => ({ visible: letters.messages.length, inFlight: 0 })),
      send: (message) => send(world, process, "renew", letters, message),
      remove: ({ messageId, receiptHandle }) =>
        process.call("remove", idOf(letters, messageId), () => {
          const removed = letters.remove(receiptHandle);
          if (removed === undefined) throw new Error("the receipt handle has expired");
          world.removed(removed);
        }),
      giveBack: (held) =>
        process.call("giveBack", "", () => {
          for (const { receiptHandle } of held) letters.show(receiptHandle);
        }),
    },
    source: { send: (message) => send(world, process, "send", world.source, message) },
  };
}

async function send(
  world: World,
  process: ProcessModel,
  call: string,
  queue: FifoQueue,
  message: OutgoingMessage,
): Promise<SendOutcome> {
  try {
    const messageId = await process.call(call, idIn(message), () => {
      const accepted = queue.send(message);
      world.tell(`${process.name} ${call}s ${accepted}:`, idIn(message));
      world.pollSoon();
      return accepted;
    });
    return { kind: "accepted", messageId };
  } catch (error) {
    return { kind: "unknown", reason: String(error) };
  }
}

function idOf(queue: FifoQueue, messageId: string): string {
  const message = queue.messages.find((one) => one.messageId === messageId);
  return message === undefined ? "" : idIn(message);
}
