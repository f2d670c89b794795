import { hideMessage } from "./placing.ts";
import type { Message, Queue } from "./queue.ts";
import { isRunning } from "./receipts.ts";
import { scheduleSweep } from "./retention.ts";

/**
 * The messages of an earlier receive with the same ReceiveRequestAttemptId, their timeout begun
 * anew; undefined if there was none, or if any of its messages was deleted or came back meanwhile.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html
 */
export function recallAttempt(
  queue: Queue,
  attemptId: string | undefined,
  visibilityTimeoutMs: number,
): readonly Message[] | undefined {
  if (attemptId === undefined || !queue.fifo) return undefined;
  const nowMs = queue.runtime.now();
  const receipts = queue.attempts.get(attemptId, nowMs) ?? [];
  const messages = receipts.flatMap(({ messageId, receiptHandle }) => {
    const message = queue.messages.get(messageId);
    return message !== undefined && isRunning(message, receiptHandle) ? [message] : [];
  });
  if (messages.length === 0 || messages.length < receipts.length) return undefined;
  const untilMs = nowMs + visibilityTimeoutMs;
  for (const message of messages) {
    hideMessage(message, untilMs);
    const { id } = message.facts;
    queue.runtime.record({ kind: "hidden", queue: queue.name, id, untilMs });
  }
  return messages;
}

/** Keeps what a receive returned under its attempt id, by handle, so that no message is held. */
export function rememberAttempt(
  queue: Queue,
  attemptId: string | undefined,
  messages: readonly Message[],
): void {
  if (attemptId === undefined || !queue.fifo || messages.length === 0) return;
  const receipts = messages.flatMap(({ facts, receiptHandle }) =>
    receiptHandle === undefined ? [] : [{ messageId: facts.id, receiptHandle }],
  );
  queue.attempts.set(attemptId, receipts, queue.runtime.now());
  scheduleSweep(queue);
}
