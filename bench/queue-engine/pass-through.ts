import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createEngine } from "../../local/sqs/engine.ts";
import { type Journal, openJournal } from "../../local/sqs/journal.ts";
import { sqsOperations } from "../../local/sqs/operations.ts";

/** Memory after so many messages have been sent, received and deleted. */
export type MemorySample = {
  readonly messages: number;
  readonly heapMegabytes: number;
  readonly residentMegabytes: number;
};

export type PassThrough = {
  readonly messages: number;
  /** A sample is taken after each so many. */
  readonly sampleEvery: number;
  /** By the engine's clock. SQS remembers an id for five minutes, so that the pace says how many
   *  ids are remembered at once. */
  readonly messagesPerSecond: number;
};

const BATCH = 10;
const GROUPS = 16;
const QueueUrl = "bench.fifo";
const BODY = JSON.stringify({ x: "y".repeat(200) });

/** Passes messages through an engine with its journal, without sockets between. */
export async function passThrough(
  { messages, sampleEvery, messagesPerSecond }: PassThrough,
  onSample: (sample: MemorySample) => void,
): Promise<readonly MemorySample[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-queue-"));
  let nowMs = Date.now();
  let journal: Journal | undefined;
  const engine = createEngine({
    region: "us-east-1",
    accountId: "000000000000",
    urlOf: (queueName) => queueName,
    record: (event) => journal?.record(event),
    now: () => nowMs,
  });
  journal = openJournal(join(folder, "queues.ndjson"), engine);
  const operations = sqsOperations(engine, () => journal?.save());
  const request = { socket: new Socket() } as IncomingMessage;
  const call = async (operation: string, input: object): Promise<unknown> =>
    await operations[operation]?.(input, request);
  const samples: MemorySample[] = [];
  await call("CreateQueue", { QueueName: QueueUrl, Attributes: { FifoQueue: "true" } });
  for (let sent = 0; sent < messages; sent += BATCH) {
    await call("SendMessageBatch", { QueueUrl, Entries: entriesFrom(sent) });
    const received = await call("ReceiveMessage", { QueueUrl, MaxNumberOfMessages: BATCH });
    await call("DeleteMessageBatch", { QueueUrl, Entries: receiptsOf(received) });
    nowMs += (1000 * BATCH) / messagesPerSecond;
    if ((sent + BATCH) % sampleEvery !== 0) continue;
    const sample = sampleAfter(sent + BATCH);
    samples.push(sample);
    onSample(sample);
  }
  engine.runtime.deadlines.close();
  journal.close();
  rmSync(folder, { recursive: true });
  return samples;
}

function entriesFrom(sent: number): readonly object[] {
  return Array.from({ length: BATCH }, (_, index) => ({
    Id: `e${index}`,
    MessageBody: BODY,
    MessageGroupId: `g${(sent + index) % GROUPS}`,
    MessageDeduplicationId: `d${sent + index}`,
  }));
}

function receiptsOf(received: unknown): readonly object[] {
  const { Messages } = received as { readonly Messages: readonly { ReceiptHandle: string }[] };
  return Messages.map(({ ReceiptHandle }, index) => ({ Id: `e${index}`, ReceiptHandle }));
}

setFlagsFromString("--expose_gc");
const collectGarbage: () => void = runInNewContext("gc");

function sampleAfter(messages: number): MemorySample {
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  return { messages, heapMegabytes: heapUsed / 1e6, residentMegabytes: rss / 1e6 };
}
