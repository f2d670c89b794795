import { randomUUID } from "node:crypto";
import { dequeue, enqueueMoved } from "./enqueue.ts";
import type { MoveTask } from "./move-task.ts";
import type { Message, Queue } from "./queue.ts";

// Without a rate the task yields to other requests after each of these.
const MESSAGES_PER_STEP = 100;
const STEP_PAUSE_MS = 1;

/**
 * Moves what is visible in the queue, in the order of each group, until nothing is, the task is
 * cancelled, or a message has no destination. What is in flight meanwhile stays.
 */
export function runMoveTask(queue: Queue, task: MoveTask): void {
  if (task.status !== "RUNNING") return;
  const limit = task.maxPerSecond === undefined ? MESSAGES_PER_STEP : 1;
  for (let step = 0; step < limit && task.status === "RUNNING"; step += 1) moveNext(queue, task);
  if (task.status !== "RUNNING") return;
  const pauseMs = task.maxPerSecond === undefined ? STEP_PAUSE_MS : 1000 / task.maxPerSecond;
  const { now, deadlines } = queue.runtime;
  deadlines.schedule(now() + pauseMs, () => runMoveTask(queue, task));
}

function moveNext(queue: Queue, task: MoveTask): void {
  const message = queue.ready.first?.value.messages.first?.value;
  if (message === undefined) {
    task.status = "COMPLETED";
    return;
  }
  const destination = queue.runtime.queueByArn(
    task.destinationArn ?? message.facts.deadLetterSourceArn ?? "",
  );
  if (destination === undefined) {
    task.status = "FAILED";
    task.failureReason =
      task.destinationArn === undefined
        ? "CouldNotDetermineMessageSource"
        : "AWS.SimpleQueueService.NonExistentQueue";
    return;
  }
  moveAsNew(message, destination);
  task.moved += 1;
}

/**
 * A message that a task moves is a new one to SQS: with its own MessageId, time of sending and
 * receive count, behind whatever its group holds already.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-configure-dead-letter-queue-redrive.html
 */
function moveAsNew(message: Message, destination: Queue): void {
  const { now, nextSequenceNumber } = destination.runtime;
  // Added before it is taken out: a journal that ends between the two has the message twice.
  enqueueMoved(destination, {
    ...message.facts,
    id: randomUUID(),
    sentAtMs: now(),
    sequenceNumber: destination.fifo ? nextSequenceNumber() : undefined,
    deadLetterSourceArn: undefined,
    earlier: undefined,
  });
  dequeue(message, { deleted: false });
}
