import { valuesOf } from "./chain.ts";
import { type Engine, stateOf } from "./engine.ts";
import type { JournalEvent } from "./journal-event.ts";
import { DEDUPLICATION_WINDOW_MS, type Message, type Queue } from "./queue.ts";

/** The shortest journal that leads to the engine's present state. */
export function* snapshotOf(engine: Engine): Generator<JournalEvent> {
  for (const [queue, atMs] of engine.deletedAtMs) yield { kind: "queueDeleted", queue, atMs };
  for (const queue of engine.queues.values()) yield* queueSnapshot(queue);
}

/** Lines of that journal, for comparison with one that has grown. */
export function snapshotLines(engine: Engine): number {
  return [...engine.queues.values()].reduce(
    (sum, queue) => sum + 2 + queue.messages.size + queue.deduplication.size,
    engine.deletedAtMs.size,
  );
}

function* queueSnapshot(queue: Queue): Generator<JournalEvent> {
  const { name } = queue;
  yield { kind: "queue", state: stateOf(queue) };
  if (queue.purgedAtMs !== undefined) {
    yield { kind: "purged", queue: name, atMs: queue.purgedAtMs };
  }
  yield { kind: "counters", queue: name, counters: queue.counters };
  for (const { key, value, expiresAtMs } of queue.deduplication.entries()) {
    const { messageId, sequenceNumber } = value;
    const atMs = expiresAtMs - DEDUPLICATION_WINDOW_MS;
    yield { kind: "remembered", queue: name, key, messageId, sequenceNumber, atMs };
  }
  for (const message of valuesOf(queue.arrivals)) yield kept(name, message);
}

function kept(queue: string, message: Message): JournalEvent {
  const { facts, state, receives, firstReceivedAtMs, receiptHandle, invisibleUntilMs } = message;
  return {
    kind: "kept",
    queue,
    facts,
    delayedUntilMs: state === "delayed" ? invisibleUntilMs : undefined,
    receives,
    firstReceivedAtMs,
    receiptHandle,
    inFlightUntilMs: state === "inFlight" ? invisibleUntilMs : undefined,
  };
}
