import type { MessageFacts } from "./message-facts.ts";
import { placeMessage, refreshGroup, unplaceMessage } from "./placing.ts";
import type { Message, Queue } from "./queue.ts";
import { scheduleSweep } from "./retention.ts";

/** Adds a message that a client sent; it is counted as sent. */
export function enqueueSent(
  queue: Queue,
  facts: MessageFacts,
  delayedUntilMs: number | undefined,
): void {
  add(queue, facts, delayedUntilMs, true);
  queue.counters.sent += 1;
  queue.counters.sentBytes += facts.bytes;
}

/**
 * Adds a message that comes from another queue. No metric counts it as sent, as on AWS.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
export function enqueueMoved(queue: Queue, facts: MessageFacts): void {
  add(queue, facts, undefined, false);
}

/** Takes a message out for good; only what a client deleted is counted as deleted. */
export function dequeue(message: Message, { deleted }: { readonly deleted: boolean }): void {
  const { queue } = message.group;
  unplaceMessage(message);
  refreshGroup(message.group);
  queue.runtime.record({ kind: "removed", queue: queue.name, id: message.facts.id, deleted });
  if (deleted) queue.counters.deleted += 1;
}

function add(
  queue: Queue,
  facts: MessageFacts,
  delayedUntilMs: number | undefined,
  sent: boolean,
): void {
  placeMessage(queue, facts, delayedUntilMs);
  scheduleSweep(queue);
  queue.runtime.record({ kind: "added", queue: queue.name, facts, delayedUntilMs, sent });
}
