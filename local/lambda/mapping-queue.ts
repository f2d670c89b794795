import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";

/** The three calls that a mapping makes on its queue; Lambda's role needs no others. */
export type MappingQueue = {
  visibilityTimeoutSeconds(): Promise<number>;
  /** A long poll. @throws if it is aborted. */
  receive(messagesMax: number, signal: AbortSignal): Promise<readonly Message[]>;
  /** At most 10. @throws Error that counts the messages which are still in the queue. */
  remove(receiptHandles: readonly string[]): Promise<void>;
};

/** The longest that SQS lets a poll wait. */
const WAIT_SECONDS = 20;

export function mappingQueue(client: SQSClient, queueUrl: string): MappingQueue {
  return {
    async visibilityTimeoutSeconds(): Promise<number> {
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({
          QueueUrl: queueUrl,
          AttributeNames: ["VisibilityTimeout"],
        }),
      );
      return Number(Attributes?.VisibilityTimeout);
    },
    async receive(messagesMax, signal): Promise<readonly Message[]> {
      const command = new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: messagesMax,
        WaitTimeSeconds: WAIT_SECONDS,
        MessageSystemAttributeNames: ["All"],
        MessageAttributeNames: ["All"],
      });
      const { Messages } = await client.send(command, { abortSignal: signal });
      return Messages ?? [];
    },
    async remove(receiptHandles): Promise<void> {
      if (receiptHandles.length === 0) return;
      const Entries = receiptHandles.map((ReceiptHandle, index) => ({
        Id: String(index),
        ReceiptHandle,
      }));
      const { Failed = [] } = await client.send(
        new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }),
      );
      if (Failed.length > 0) {
        throw new Error(
          `${Failed.length} of ${Entries.length} handled messages could not be deleted and will come again: ${Failed[0]?.Message}`,
        );
      }
    },
  };
}
