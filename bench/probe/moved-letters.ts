import { DeleteMessageCommand, type Message } from "@aws-sdk/client-sqs";
import type { Probe, ProbeStage } from "./probe.ts";
import {
  bodiesOf,
  createThrowawayQueue,
  receiveOnce,
  sendGroup,
  type ThrowawayQueue,
  untilVisible,
} from "./throwaway-queue.ts";

const MAX_RECEIVES = 2;

/** What a message looks like after SQS moved it into a FIFO dead-letter queue. */
export const MOVED_MESSAGE: Probe = {
  name: "moved-message",
  question:
    "What of SequenceNumber, SentTimestamp, MessageGroupId and MessageDeduplicationId is kept when SQS moves a message into a FIFO dead-letter queue?",
  assumed: "group kept, MessageId as de-duplication id, the other two not to be trusted",
  async answer(stage): Promise<string> {
    const { source, letters } = await queuesOf(stage, "moved");
    const [sent] = await sendGroup(stage, source, 1);
    const before = await receivedAway(stage, source, 1);
    const [after] = await receiveOnce(stage, letters, 1);
    const first = before?.Attributes;
    const moved = after?.Attributes;
    return [
      `SequenceNumber ${kept(sent?.sequenceNumber, moved?.SequenceNumber)}`,
      `SentTimestamp ${kept(first?.SentTimestamp, moved?.SentTimestamp)}`,
      `MessageGroupId ${kept(first?.MessageGroupId, moved?.MessageGroupId)}`,
      `MessageDeduplicationId ${kept(first?.MessageDeduplicationId, moved?.MessageDeduplicationId)}${moved?.MessageDeduplicationId === before?.MessageId ? " (the MessageId)" : ""}`,
      `MessageId ${kept(before?.MessageId, after?.MessageId)}`,
      `receive count ${moved?.ApproximateReceiveCount ?? "absent"}`,
    ].join("; ");
  },
};

/** What a receive answers that moves the head of a group, and in which order several go. */
export const MOVING_RECEIVE: Probe = {
  name: "moving-receive",
  question:
    "Can the receive that moves a group's head return the next message, and in which order do several expired messages of one group reach the dead-letter queue?",
  assumed: "either; in the group's order",
  async answer(stage): Promise<string> {
    const { source, letters } = await queuesOf(stage, "moving");
    await sendGroup(stage, source, 4);
    for (let receive = 0; receive < MAX_RECEIVES; receive += 1) {
      await receiveOnce(stage, source, 1);
      await untilVisible(stage);
    }
    const withMove = await receiveOnce(stage, source, 10);
    await untilVisible(stage);
    for (let receive = 0; receive < MAX_RECEIVES; receive += 1) {
      await receiveOnce(stage, source, 10);
      await untilVisible(stage);
    }
    return `the moving receive returned ${bodiesOf(withMove)}; the dead-letter queue gave ${await inOrder(stage, letters)}`;
  },
};

async function queuesOf(
  stage: ProbeStage,
  role: string,
): Promise<{ readonly source: ThrowawayQueue; readonly letters: ThrowawayQueue }> {
  const letters = await createThrowawayQueue(stage, `${role}-letters`);
  const deadLetters = { arn: letters.arn, maxReceiveCount: MAX_RECEIVES };
  return { letters, source: await createThrowawayQueue(stage, `${role}-source`, deadLetters) };
}

/** Receives until SQS moves the head; the message as it was first received. */
async function receivedAway(
  stage: ProbeStage,
  source: ThrowawayQueue,
  most: number,
): Promise<Message | undefined> {
  const [first] = await receiveOnce(stage, source, most);
  for (let receive = 0; receive < MAX_RECEIVES; receive += 1) {
    await untilVisible(stage);
    await receiveOnce(stage, source, most);
  }
  return first;
}

/** A group hands out nothing while one of it is in flight, so each is deleted. */
async function inOrder(stage: ProbeStage, letters: ThrowawayQueue): Promise<string> {
  const order: Message[] = [];
  for (;;) {
    const messages = await receiveOnce(stage, letters, 10);
    if (messages.length === 0) return bodiesOf(order);
    order.push(...messages);
    for (const { ReceiptHandle } of messages) {
      await stage.sqs.send(new DeleteMessageCommand({ QueueUrl: letters.url, ReceiptHandle }));
    }
  }
}

function kept(before: string | undefined, after: string | undefined): string {
  if (after === undefined) return "absent";
  return before === after ? "kept" : "new";
}
