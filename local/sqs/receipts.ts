import { SQS_LIMITS } from "../../lambdas/core/limits.ts";
import { dequeue } from "./enqueue.ts";
import { hideMessage, showMessage } from "./placing.ts";
import type { Message, Queue } from "./queue.ts";
import { messageIdOf } from "./receipt-handle.ts";
import { invalidValue, missingParameter, prefixedError, sqsError } from "./sqs-errors.ts";

/**
 * Deletes the message that the handle was given for; deleting twice succeeds. On a FIFO queue the
 * handle must be of the running receive, on a standard queue of the last one.
 * @throws ServiceError ReceiptHandleIsInvalid, or InvalidParameterValue for one that has expired
 */
export function deleteByHandle(queue: Queue, receiptHandle: string | undefined): void {
  const message = messageOf(queue, receiptHandle);
  if (message === undefined) return;
  if (queue.fifo && !isRunning(message, receiptHandle)) throw expired(receiptHandle);
  if (message.receiptHandle === receiptHandle) dequeue(message, { deleted: true });
}

/**
 * Lets the running receive of a message end `seconds` from now, 0 to 43,200; 0 = at once.
 * @throws ServiceError InvalidParameterValue, ReceiptHandleIsInvalid or MessageNotInflight
 */
export function changeVisibility(
  queue: Queue,
  receiptHandle: string | undefined,
  seconds: number | undefined,
): void {
  if (seconds === undefined) throw missingParameter("VisibilityTimeout");
  checkVisibilityTimeout(seconds);
  const message = messageOf(queue, receiptHandle);
  if (message === undefined) {
    const reason = "Message does not exist or is not available for visibility timeout change.";
    throw invalidValue("ReceiptHandle", receiptHandle, reason);
  }
  if (!isRunning(message, receiptHandle)) {
    throw queue.fifo
      ? expired(receiptHandle)
      : prefixedError("MessageNotInflight", "The message referred to is not in flight.");
  }
  const untilMs = queue.runtime.now() + seconds * 1000;
  const { id } = message.facts;
  if (seconds === 0) showMessage(message);
  else hideMessage(message, untilMs);
  queue.runtime.record({ kind: "hidden", queue: queue.name, id, untilMs });
}

/** @throws ServiceError InvalidParameterValue */
export function checkVisibilityTimeout(seconds: number): void {
  const max = SQS_LIMITS.visibilityTimeoutSeconds;
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= max) return;
  throw invalidValue("VisibilityTimeout", seconds, `Must be between 0 and ${max}, if provided.`);
}

/** Whether the handle is of the receive that keeps the message in flight now. */
export function isRunning(message: Message, receiptHandle: string | undefined): boolean {
  return message.state === "inFlight" && message.receiptHandle === receiptHandle;
}

/** Undefined if the message is no longer there. */
function messageOf(queue: Queue, receiptHandle: string | undefined): Message | undefined {
  if (receiptHandle === undefined) throw missingParameter("ReceiptHandle");
  const id = messageIdOf(receiptHandle, queue.name);
  if (id !== undefined) return queue.messages.get(id);
  throw sqsError(
    "ReceiptHandleIsInvalid",
    `The input receipt handle "${receiptHandle}" is not a valid receipt handle.`,
  );
}

function expired(receiptHandle: string | undefined): Error {
  return invalidValue("ReceiptHandle", receiptHandle, "The receipt handle has expired.");
}
