import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  type QueueAttributeName,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { SQS_LIMITS } from "../../lambdas/core/limits.ts";
import { partitionOf } from "../../lambdas/core/partition.ts";
import type { Settings } from "../../lambdas/core/settings.ts";

/** A source queue on an embedded SQS. */
export type SourceQueue = {
  readonly url: string;
  readonly arn: string;
  readonly client: SQSClient;
  /** Publishes a record of each key, in this order, in full batches. */
  fill(keys: readonly string[], payload?: string): Promise<void>;
  /** Records that are in it, in flight or not. */
  size(): Promise<number>;
  /** Resolves when it is empty. @throws after ten minutes */
  emptied(): Promise<void>;
};

type QueueSettings = Pick<Settings, "partitions" | "visibilityTimeoutSeconds">;

type RedrivePolicy = { readonly deadLetterTargetArn: string; readonly maxReceiveCount: number };

const LOOK_EVERY_MS = 20;
const PATIENCE_MS = 600_000;

/** A new FIFO queue with one throughput limit for each group, as the stack's is. */
export async function createSourceQueue(
  client: SQSClient,
  { partitions, visibilityTimeoutSeconds }: QueueSettings,
  redrive?: RedrivePolicy,
): Promise<SourceQueue> {
  const { QueueUrl: url = "" } = await client.send(
    new CreateQueueCommand({
      QueueName: `source-${randomUUID()}.fifo`,
      Attributes: {
        FifoQueue: "true",
        DeduplicationScope: "messageGroup",
        FifoThroughputLimit: "perMessageGroupId",
        VisibilityTimeout: String(visibilityTimeoutSeconds),
        ...(redrive && { RedrivePolicy: JSON.stringify(redrive) }),
      },
    }),
  );
  const read = async (names: readonly QueueAttributeName[]): Promise<Record<string, string>> => {
    const command = new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...names] });
    return (await client.send(command)).Attributes ?? {};
  };
  const size = async (): Promise<number> =>
    Object.values(await read(SIZES)).reduce((sum, each) => sum + Number(each), 0);
  return {
    url,
    arn: (await read(["QueueArn"]))["QueueArn"] ?? "",
    client,
    size,
    async fill(keys, payload = PAYLOAD): Promise<void> {
      for (let first = 0; first < keys.length; first += SQS_LIMITS.batchEntries) {
        const batch = keys.slice(first, first + SQS_LIMITS.batchEntries);
        const Entries = batch.map((key, place) => entryOf(key, payload, partitions, place));
        await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
      }
    },
    async emptied(): Promise<void> {
      const untilMs = Date.now() + PATIENCE_MS;
      while ((await size()) > 0) {
        if (Date.now() > untilMs) throw new Error("Expected the queue to be empty in ten minutes");
        await delay(LOOK_EVERY_MS);
      }
    },
  };
}

const PAYLOAD = '{"type":"credit","amount":5}';

const SIZES: readonly QueueAttributeName[] = [
  "ApproximateNumberOfMessages",
  "ApproximateNumberOfMessagesNotVisible",
];

function entryOf(
  key: string,
  payload: string,
  partitions: number,
  place: number,
): SendMessageBatchRequestEntry {
  const id = randomUUID();
  return {
    Id: String(place),
    MessageGroupId: String(partitionOf(key, partitions)),
    MessageDeduplicationId: id,
    MessageBody: payload,
    MessageAttributes: {
      id: { DataType: "String", StringValue: id },
      key: { DataType: "String", StringValue: key },
      enqueuedAt: { DataType: "Number", StringValue: String(Date.now()) },
    },
  };
}
