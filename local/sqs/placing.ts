import { append, detach, insertAfter, type Link } from "./chain.ts";
import type { MessageFacts } from "./message-facts.ts";
import type { Group, Message, MessageState, Queue } from "./queue.ts";

/**
 * Puts a message at the end of its group, visible, or delayed until then (epoch milliseconds).
 * Nothing is counted as sent.
 */
export function placeMessage(
  queue: Queue,
  facts: MessageFacts,
  delayedUntilMs: number | undefined,
): Message {
  const group = groupOf(queue, facts);
  const delayed = delayedUntilMs !== undefined;
  const message: Message = {
    facts,
    group,
    inGroup: undefined,
    inQueue: undefined,
    state: delayed ? "delayed" : "visible",
    receives: 0,
    firstReceivedAtMs: undefined,
    receiptHandle: undefined,
    invisibleUntilMs: delayedUntilMs ?? 0,
    deadline: undefined,
  };
  message.inGroup = append(group.messages, message);
  message.inQueue = insertAfter(queue.arrivals, arrivalBefore(queue, facts.sentAtMs), message);
  queue.messages.set(facts.id, message);
  queue.counts[delayed ? "delayed" : "visible"] += 1;
  if (delayed) watch(message);
  else refreshGroup(group);
  return message;
}

/** Takes a message out of its queue. Its group is left as it is: call `refreshGroup` after. */
export function unplaceMessage(message: Message): void {
  const { queue } = message.group;
  changeState(message, "gone");
  queue.runtime.deadlines.cancel(message.deadline);
  message.deadline = undefined;
  if (message.inGroup !== undefined) detach(message.group.messages, message.inGroup);
  if (message.inQueue !== undefined) detach(queue.arrivals, message.inQueue);
  queue.messages.delete(message.facts.id);
}

/** Puts a message in flight, or keeps it there, until then (epoch milliseconds). */
export function hideMessage(message: Message, untilMs: number): void {
  changeState(message, "inFlight");
  message.invisibleUntilMs = untilMs;
  watch(message);
}

/** Ends a message's time in flight or its delay. */
export function showMessage(message: Message): void {
  const { queue } = message.group;
  queue.runtime.deadlines.cancel(message.deadline);
  message.deadline = undefined;
  changeState(message, "visible");
  refreshGroup(message.group);
}

/** Sets whether the group is ready: it is if its oldest message is visible. */
export function refreshGroup(group: Group): void {
  const { queue } = group;
  const oldest = group.messages.first?.value;
  // A newer group may have the key by now.
  const empty = oldest === undefined && queue.groups.get(group.key) === group;
  if (empty) queue.groups.delete(group.key);
  if (oldest?.state !== "visible") {
    unreadyGroup(group);
  } else if (group.ready === undefined) {
    group.ready = append(queue.ready, group);
    queue.runtime.onReady(queue);
  }
}

/** Takes a group from those that are ready. */
export function unreadyGroup(group: Group): void {
  if (group.ready === undefined) return;
  detach(group.queue.ready, group.ready);
  group.ready = undefined;
}

function groupOf(queue: Queue, { groupId, id }: MessageFacts): Group {
  const key = queue.fifo && groupId !== undefined ? groupId : id;
  const known = queue.groups.get(key);
  if (known !== undefined) return known;
  const group: Group = {
    key,
    queue,
    messages: { first: undefined, last: undefined },
    ready: undefined,
  };
  queue.groups.set(key, group);
  return group;
}

/**
 * Behind whom a message arrives that was sent then. In a FIFO queue always behind all others, so
 * that arrivals keep the order of every group; in a standard queue a moved message keeps its time
 * of sending, which may be before that of others.
 */
function arrivalBefore(queue: Queue, sentAtMs: number): Link<Message> | undefined {
  let link = queue.arrivals.last;
  if (queue.fifo) return link;
  while (link !== undefined && link.value.facts.sentAtMs > sentAtMs) link = link.previous;
  return link;
}

function watch(message: Message): void {
  const { deadlines } = message.group.queue.runtime;
  deadlines.cancel(message.deadline);
  message.deadline = deadlines.schedule(message.invisibleUntilMs, () => showMessage(message));
}

function changeState(message: Message, state: MessageState): void {
  const { counts } = message.group.queue;
  if (message.state !== "gone") counts[message.state] -= 1;
  if (state !== "gone") counts[state] += 1;
  message.state = state;
}
