import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from "@aws-sdk/client-sqs";
import type { ProbeStage } from "./probe.ts";

/** A FIFO queue that is deleted at the end of its probe. */
export type ThrowawayQueue = { readonly url: string; readonly arn: string; readonly name: string };

/** Seconds for which a received message is invisible: short, so that a probe is. */
export const VISIBILITY_SECONDS = 2;

/** @param deadLetters where messages go that were received `maxReceiveCount` times. */
export async function createThrowawayQueue(
  { sqs, prefix, atEnd }: ProbeStage,
  role: string,
  deadLetters?: { readonly arn: string; readonly maxReceiveCount: number },
): Promise<ThrowawayQueue> {
  const name = `${prefix}-${role}.fifo`;
  const redrive =
    deadLetters === undefined
      ? {}
      : {
          RedrivePolicy: JSON.stringify({
            deadLetterTargetArn: deadLetters.arn,
            maxReceiveCount: deadLetters.maxReceiveCount,
          }),
        };
  const { QueueUrl: url = "" } = await sqs.send(
    new CreateQueueCommand({
      QueueName: name,
      Attributes: { FifoQueue: "true", VisibilityTimeout: `${VISIBILITY_SECONDS}`, ...redrive },
    }),
  );
  atEnd(() => sqs.send(new DeleteQueueCommand({ QueueUrl: url })));
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["QueueArn"] }),
  );
  return { url, arn: Attributes?.QueueArn ?? "", name };
}

/** Sends `count` messages of one group, `m1` and so on; the text is also the de-duplication id. */
export async function sendGroup(
  { sqs }: ProbeStage,
  { url }: ThrowawayQueue,
  count: number,
): Promise<readonly { readonly body: string; readonly sequenceNumber: string | undefined }[]> {
  const sent: { body: string; sequenceNumber: string | undefined }[] = [];
  for (let number = 1; number <= count; number += 1) {
    const body = `m${number}`;
    const { SequenceNumber: sequenceNumber } = await sqs.send(
      new SendMessageCommand({
        QueueUrl: url,
        MessageBody: body,
        MessageGroupId: "group",
        MessageDeduplicationId: body,
      }),
    );
    sent.push({ body, sequenceNumber });
  }
  return sent;
}

/** One receive that waits up to 5 s, with everything that SQS tells of a message. */
export async function receiveOnce(
  { sqs }: ProbeStage,
  { url }: ThrowawayQueue,
  most: number,
): Promise<readonly Message[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: most,
      WaitTimeSeconds: 5,
      MessageSystemAttributeNames: ["All"],
      MessageAttributeNames: ["All"],
    }),
  );
  return Messages;
}

/** Lets what was received become visible again. */
export function untilVisible({ sleep }: ProbeStage): Promise<void> {
  return sleep(VISIBILITY_SECONDS * 1000 + 500);
}

export function bodiesOf(messages: readonly Message[]): string {
  return messages.length === 0 ? "nothing" : messages.map(({ Body }) => Body).join(", ");
}
