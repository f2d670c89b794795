import { addQueue, clearQueue, type Engine, removeQueue } from "./engine.ts";
import { rememberSent } from "./enqueue.ts";
import type { JournalEvent, QueueState } from "./journal-event.ts";
import { hideMessage, placeMessage, refreshGroup, unplaceMessage } from "./placing.ts";
import type { Message, Queue } from "./queue.ts";
import { readRedrivePolicy } from "./redrive-policy.ts";
import { scheduleSweep } from "./retention.ts";
import { markReceived } from "./take-messages.ts";

/**
 * Does again what a journal tells, without telling it anew. A message in flight stays so until its
 * time, and its receipt handle stays good, as a consumer may have outlived the queues. Not kept are
 * move tasks, attempt ids and who was polling.
 */
export function applyEvent(engine: Engine, event: JournalEvent): void {
  if (event.kind === "queue") {
    restoreQueue(engine, event.state);
    return;
  }
  if (event.kind === "queueDeleted") engine.deletedAtMs.set(event.queue, event.atMs);
  const queue = engine.queues.get(event.queue);
  if (queue !== undefined) applyToQueue(engine, queue, event);
}

/** Call it when all events are applied. */
export function endRestore(engine: Engine): void {
  for (const queue of engine.queues.values()) scheduleSweep(queue);
}

type QueueEvent = Exclude<JournalEvent, { readonly kind: "queue" }>;

function applyToQueue(engine: Engine, queue: Queue, event: QueueEvent): void {
  switch (event.kind) {
    case "queueDeleted":
      removeQueue(engine, queue, event.atMs);
      break;
    case "purged":
      clearQueue(queue);
      queue.purgedAtMs = event.atMs;
      break;
    case "counters":
      Object.assign(queue.counters, event.counters);
      break;
    case "remembered":
      engine.continueAfter(event.sequenceNumber);
      queue.deduplication.set(
        event.key,
        { messageId: event.messageId, sequenceNumber: event.sequenceNumber },
        event.atMs,
      );
      break;
    case "added":
    case "kept":
      engine.continueAfter(event.facts.sequenceNumber);
      restoreMessage(queue, event);
      break;
    case "received":
    case "hidden":
    case "removed":
      applyToMessage(queue.messages.get(event.id), event);
      break;
    default:
      event satisfies never;
  }
}

function restoreQueue(engine: Engine, state: QueueState): void {
  const queue = engine.queues.get(state.name);
  if (queue === undefined) {
    addQueue(engine, state);
    return;
  }
  queue.attributes = state.attributes;
  queue.redrive = readRedrivePolicy(state.attributes["RedrivePolicy"]);
  queue.tags = state.tags;
  queue.modifiedAtMs = state.modifiedAtMs;
}

function restoreMessage(
  queue: Queue,
  event: Extract<JournalEvent, { readonly kind: "added" | "kept" }>,
): void {
  const message = placeMessage(queue, event.facts, event.delayedUntilMs);
  if (event.kind === "added") {
    if (event.sent) rememberSent(queue, event.facts, event.deduplicationKey);
    return;
  }
  message.receives = event.receives;
  message.firstReceivedAtMs = event.firstReceivedAtMs;
  message.receiptHandle = event.receiptHandle;
  if (event.inFlightUntilMs === undefined) return;
  hideMessage(message, event.inFlightUntilMs);
  refreshGroup(message.group);
}

function applyToMessage(
  message: Message | undefined,
  event: Extract<JournalEvent, { readonly kind: "received" | "hidden" | "removed" }>,
): void {
  if (message === undefined) return;
  const { counters } = message.group.queue;
  if (event.kind === "removed") {
    unplaceMessage(message);
    if (event.deleted) counters.deleted += 1;
  } else if (event.kind === "received") {
    markReceived(message, event);
    counters.received += 1;
  } else {
    hideMessage(message, event.untilMs);
  }
  refreshGroup(message.group);
}
