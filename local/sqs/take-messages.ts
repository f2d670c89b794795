import { hideMessage, refreshGroup, unreadyGroup } from "./placing.ts";
import type { Group, Message, Queue } from "./queue.ts";
import { newReceiptHandle } from "./receipt-handle.ts";
import { deadLetterQueueFor, moveToDeadLetters } from "./redrive.ts";

export type Take = {
  /** 1 to 10 */
  readonly maxMessages: number;
  /** 0 = the message stays visible. */
  readonly visibilityTimeoutMs: number;
};

type DeadLetter = { readonly message: Message; readonly target: Queue };

/**
 * Hands out messages of one group before those of the next. Of a group it takes the visible ones
 * from the oldest on and stops at the first that is in flight or delayed: what AWS was seen to do.
 * A message that was received as often as its redrive policy allows is moved instead.
 */
export function takeMessages(queue: Queue, take: Take): readonly Message[] {
  const taken: Message[] = [];
  const dead: DeadLetter[] = [];
  // One moment for all of them: what was received together comes back together.
  const atMs = queue.runtime.now();
  const visited: Group[] = [];
  while (taken.length < take.maxMessages && queue.ready.first !== undefined) {
    const group = queue.ready.first.value;
    // Out of the list until all are visited, else a visibility timeout of 0 would go round for ever.
    unreadyGroup(group);
    visited.push(group);
    takeFromGroup(group, { ...take, atMs }, taken, dead);
  }
  for (const { message, target } of dead) moveToDeadLetters(message, target);
  for (const group of visited) refreshGroup(group);
  queue.counters.received += taken.length;
  return taken;
}

function takeFromGroup(
  group: Group,
  take: Take & { readonly atMs: number },
  taken: Message[],
  dead: DeadLetter[],
): void {
  let link = group.messages.first;
  while (link !== undefined && taken.length < take.maxMessages && link.value.state === "visible") {
    const message = link.value;
    const target = deadLetterQueueFor(message);
    if (target === undefined) {
      receive(message, take.atMs, take.atMs + take.visibilityTimeoutMs);
      taken.push(message);
    } else {
      dead.push({ message, target });
    }
    link = link.next;
  }
}

function receive(message: Message, atMs: number, untilMs: number): void {
  const { queue } = message.group;
  const { id } = message.facts;
  const receiptHandle = newReceiptHandle(queue.name, id);
  markReceived(message, { receiptHandle, atMs, untilMs });
  queue.runtime.record({ kind: "received", queue: queue.name, id, receiptHandle, atMs, untilMs });
}

/** Counts a receive and hides the message until then, epoch milliseconds. */
export function markReceived(
  message: Message,
  receive: { readonly receiptHandle: string; readonly atMs: number; readonly untilMs: number },
): void {
  message.receives += 1;
  message.firstReceivedAtMs ??= receive.atMs;
  message.receiptHandle = receive.receiptHandle;
  if (receive.untilMs > receive.atMs) hideMessage(message, receive.untilMs);
}
