import { dequeue, enqueueMoved } from "./enqueue.ts";
import type { EarlierReceives, MessageFacts } from "./message-facts.ts";
import type { Message, Queue } from "./queue.ts";

/** The queue that takes this message instead of one more receive; undefined = hand it out. */
export function deadLetterQueueFor(message: Message): Queue | undefined {
  const { redrive, runtime } = message.group.queue;
  if (redrive === undefined || message.receives < redrive.maxReceiveCount) return undefined;
  return runtime.queueByArn(redrive.deadLetterTargetArn);
}

/**
 * Moves a message to the dead-letter queue of its own. It keeps its MessageId and group, and its
 * receive count goes on. In a FIFO queue its de-duplication id becomes the MessageId, so that two
 * letters never count as one, and its time of sending starts anew. Whether AWS keeps the sequence
 * number is not known; a new one here, so that nobody comes to rely on the old.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/setting-up-dead-letter-queue-retention.html
 */
export function moveToDeadLetters(message: Message, target: Queue): void {
  const { queue } = message.group;
  const facts: MessageFacts = {
    ...message.facts,
    ...(target.fifo ? fifoLetter(message, target) : {}),
    deadLetterSourceArn: queue.arn,
    earlier: receivesSoFar(message),
  };
  // Added before it is taken out: a journal that ends between the two has the message twice.
  enqueueMoved(target, facts);
  dequeue(message, { deleted: false });
}

/** The receives that SQS shows of a message, those from earlier queues included. */
export function receivesSoFar(message: Message): EarlierReceives | undefined {
  const { earlier } = message.facts;
  const firstAtMs = earlier?.firstAtMs ?? message.firstReceivedAtMs;
  if (firstAtMs === undefined) return undefined;
  return { count: (earlier?.count ?? 0) + message.receives, firstAtMs };
}

function fifoLetter(message: Message, { runtime }: Queue): Partial<MessageFacts> {
  return {
    deduplicationId: message.facts.id,
    sequenceNumber: runtime.nextSequenceNumber(),
    sentAtMs: runtime.now(),
  };
}
