import type { MessageFacts } from "./message-facts.ts";
import { placeMessage, refreshGroup, unplaceMessage } from "./placing.ts";
import type { Message, Queue } from "./queue.ts";
import { scheduleSweep } from "./retention.ts";

export type Sending = {
  /** Epoch milliseconds; undefined = visible at once. */
  readonly delayedUntilMs: number | undefined;
  /** Under which its duplicates are found; undefined on a standard queue. */
  readonly deduplicationKey: string | undefined;
};

/** Adds a message that a client sent; it is remembered and counted as sent. */
export function enqueueSent(queue: Queue, facts: MessageFacts, sending: Sending): void {
  rememberSent(queue, facts, sending.deduplicationKey);
  add(queue, facts, { ...sending, sent: true });
}

/**
 * Adds a message that comes from another queue. No metric counts it as sent, as on AWS.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
export function enqueueMoved(queue: Queue, facts: MessageFacts): void {
  add(queue, facts, { delayedUntilMs: undefined, deduplicationKey: undefined, sent: false });
}

/** Takes a message out for good; only what a client deleted is counted as deleted. */
export function dequeue(message: Message, { deleted }: { readonly deleted: boolean }): void {
  const { queue } = message.group;
  unplaceMessage(message);
  refreshGroup(message.group);
  queue.runtime.record({ kind: "removed", queue: queue.name, id: message.facts.id, deleted });
  if (deleted) queue.counters.deleted += 1;
}

/** What both a send and its line in the journal leave behind, beside the message. */
export function rememberSent(
  queue: Queue,
  facts: MessageFacts,
  deduplicationKey: string | undefined,
): void {
  const { id: messageId, sequenceNumber, sentAtMs } = facts;
  queue.counters.sent += 1;
  queue.counters.sentBytes += facts.bytes;
  if (deduplicationKey === undefined || sequenceNumber === undefined) return;
  queue.deduplication.set(deduplicationKey, { messageId, sequenceNumber }, sentAtMs);
}

function add(
  queue: Queue,
  facts: MessageFacts,
  adding: Sending & { readonly sent: boolean },
): void {
  placeMessage(queue, facts, adding.delayedUntilMs);
  scheduleSweep(queue);
  queue.runtime.record({ kind: "added", queue: queue.name, facts, ...adding });
}
