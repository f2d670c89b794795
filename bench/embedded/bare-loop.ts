import { DeleteMessageBatchCommand, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import type { SourceQueue } from "./source-queue.ts";

/** Receives and deletes ten at a time in several loops at once until the queue is empty: the least
 *  that any consumer does. */
export async function drainBarely(queue: SourceQueue, loops: number): Promise<void> {
  await Promise.all(Array.from({ length: loops }, () => drainInOneLoop(queue)));
}

async function drainInOneLoop({ client, url }: SourceQueue): Promise<void> {
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ["All"],
        MessageAttributeNames: ["All"],
      }),
    );
    if (Messages.length === 0) return;
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
    }));
    await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
  }
}
