import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import DataLoader from "dataloader";
import { SQS_LIMITS } from "../core/limits.ts";
import type { Delivery } from "../core/record.ts";
import type {
  Held,
  LetterQueue,
  OutgoingMessage,
  ReplaySource,
  SendOutcome,
} from "../core/replay/replay-ports.ts";
import { readQueueSize } from "./queue-size.ts";
import { sendMessage, sendMessages } from "./send-outcome.ts";
import { fromSdkAttributes } from "./sqs-attributes.ts";

type Queue = { readonly client: SQSClient; readonly queueUrl: string };

/** Any wait makes a receive ask all of SQS's servers, so that an empty answer means an empty queue.
 *  https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-short-and-long-polling.html */
const WAIT_SECONDS = 1;

/** Requests side by side when many letters are given back. */
const GIVEN_BACK_AT_ONCE = 5;

/** Calls of one moment share a request. Each is made once: nothing is remembered. */
const TOGETHER = { cache: false, maxBatchSize: SQS_LIMITS.batchEntries } as const;

/** The dead-letter queue on SQS, as a replay reads it. */
export class SqsLetterQueue implements LetterQueue {
  readonly #queue: Queue;
  readonly #removals: DataLoader<string, void>;

  constructor(queue: Queue) {
    this.#queue = queue;
    this.#removals = new DataLoader((handles) => deleteBatch(queue, handles), TOGETHER);
  }

  async receive(visibilitySeconds: number): Promise<readonly Delivery[]> {
    const { client, queueUrl } = this.#queue;
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: SQS_LIMITS.batchEntries,
        VisibilityTimeout: Math.min(visibilitySeconds, SQS_LIMITS.visibilityTimeoutSeconds),
        WaitTimeSeconds: WAIT_SECONDS,
        MessageAttributeNames: ["All"],
        MessageSystemAttributeNames: ["All"],
      }),
    );
    return Messages.map(deliveryOf);
  }

  size(): Promise<{ readonly visible: number; readonly inFlight: number }> {
    return readQueueSize(this.#queue.client, this.#queue.queueUrl);
  }

  send(message: OutgoingMessage): Promise<SendOutcome> {
    return sendMessage(this.#queue.client, this.#queue.queueUrl, message);
  }

  async remove({ receiptHandle }: Held): Promise<void> {
    await this.#removals.load(receiptHandle);
  }

  async giveBack(letters: readonly Held[]): Promise<void> {
    const batches: (readonly Held[])[] = [];
    for (let start = 0; start < letters.length; start += SQS_LIMITS.batchEntries) {
      batches.push(letters.slice(start, start + SQS_LIMITS.batchEntries));
    }
    const waiting = batches.values();
    const lane = async (): Promise<void> => {
      for (const batch of waiting) await this.#showAgain(batch);
    };
    await Promise.all(Array.from({ length: GIVEN_BACK_AT_ONCE }, lane));
  }

  async #showAgain(batch: readonly Held[]): Promise<void> {
    const { client, queueUrl } = this.#queue;
    await client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl: queueUrl,
        Entries: batch.map(({ receiptHandle }, index) => ({
          Id: String(index),
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: 0,
        })),
      }),
    );
  }
}

/** The source queue on SQS, as a replay writes to it. */
export class SqsReplaySource implements ReplaySource {
  readonly #sends: DataLoader<OutgoingMessage, SendOutcome>;

  constructor({ client, queueUrl }: Queue) {
    this.#sends = new DataLoader((messages) => sendMessages(client, queueUrl, messages), TOGETHER);
  }

  /** A caller waits for one message of a group before it sends the next, so that no request ever
   *  holds two of them. */
  send(message: OutgoingMessage): Promise<SendOutcome> {
    return this.#sends.load(message);
  }
}

/** @returns for each handle nothing, or the error that its own removal came to. */
async function deleteBatch(
  { client, queueUrl }: Queue,
  handles: readonly string[],
): Promise<readonly (Error | undefined)[]> {
  const { Successful = [], Failed = [] } = await client.send(
    new DeleteMessageBatchCommand({
      QueueUrl: queueUrl,
      Entries: handles.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle })),
    }),
  );
  const removed = new Set(Successful.map(({ Id }) => Id));
  return handles.map((_, index) => {
    const id = String(index);
    if (removed.has(id)) return undefined;
    const failed = Failed.find(({ Id }) => Id === id);
    return new Error(
      failed === undefined
        ? "SQS answered, but not for this message"
        : `${failed.Code}: ${failed.Message ?? "no message"}`,
    );
  });
}

function deliveryOf(message: Message): Delivery {
  const { MessageId, ReceiptHandle, Body, Attributes = {}, MessageAttributes } = message;
  const sentAtMs = Number(Attributes.SentTimestamp ?? 0);
  return {
    messageId: MessageId ?? "",
    receiptHandle: ReceiptHandle ?? "",
    group: Attributes.MessageGroupId,
    receives: Number(Attributes.ApproximateReceiveCount ?? 1),
    sequenceNumber: Attributes.SequenceNumber,
    sentAtMs,
    firstReceivedAtMs: Number(Attributes.ApproximateFirstReceiveTimestamp ?? sentAtMs),
    body: Body ?? "",
    attributes: fromSdkAttributes(MessageAttributes),
  };
}
