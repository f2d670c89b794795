import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
} from "@aws-sdk/client-sqs";
import type { SourceQueue } from "./source-queue.ts";

/** What is done with a batch between its receive and its delete. */
export type Between = (messages: readonly Message[]) => Promise<unknown>;

/** Receives and deletes ten at a time in several loops at once until the queue is empty: the least
 *  that any consumer does. */
export async function drainBarely(
  queue: SourceQueue,
  loops: number,
  between?: Between,
): Promise<void> {
  await Promise.all(Array.from({ length: loops }, () => drainInOneLoop(queue, between)));
}

async function drainInOneLoop({ client, url }: SourceQueue, between?: Between): Promise<void> {
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
    await between?.(Messages);
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
    }));
    await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
  }
}
