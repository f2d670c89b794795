import type { Socket } from "node:net";
import { append, detach } from "./chain.ts";
import type { Message, Queue, Waiter } from "./queue.ts";
import { type Take, takeMessages } from "./take-messages.ts";

/**
 * Resolves to the next messages, or to none once `waitMs` is over, the queue is deleted or the
 * client has hung up. A client that has hung up is given nothing: a message handed to it would stay
 * invisible for its whole timeout.
 */
export function waitForMessages(
  queue: Queue,
  take: Take,
  waitMs: number,
  socket: Socket,
): Promise<readonly Message[]> {
  const { deadlines, now } = queue.runtime;
  return new Promise((resolve) => {
    const waiter: Waiter = {
      ...take,
      isGone: () => socket.destroyed,
      answer(messages): void {
        socket.off("close", leave);
        deadlines.cancel(deadline);
        detach(queue.waiters, link);
        resolve(messages);
      },
    };
    const leave = (): void => waiter.answer([]);
    const link = append(queue.waiters, waiter);
    const deadline = deadlines.schedule(now() + waitMs, leave);
    socket.once("close", leave);
  });
}

/** Answers long polls, the longest waiting first, as far as there are messages. */
export function serveWaiters(queue: Queue): void {
  while (queue.waiters.first !== undefined && queue.ready.first !== undefined) {
    const waiter = queue.waiters.first.value;
    const messages = waiter.isGone() ? [] : takeMessages(queue, waiter);
    // What was ready may all have gone to the dead-letter queue: then the poll goes on.
    if (messages.length > 0 || waiter.isGone()) waiter.answer(messages);
  }
}

/** Ends all long polls of a queue empty-handed. */
export function dismissWaiters(queue: Queue): void {
  while (queue.waiters.first !== undefined) queue.waiters.first.value.answer([]);
}
