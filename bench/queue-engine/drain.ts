import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type JsonClient, jsonClient } from "./json-client.ts";

/** How a backlog was drained. */
export type Drain = {
  readonly backlog: number;
  readonly messagesPerSecond: number;
  /** Processor time of the server, in microseconds. */
  readonly serverPerMessage: number;
};

const BATCH = 10;
const GROUPS = 16;
const SENDERS = 8;
const BODY = JSON.stringify({ x: "y".repeat(200) });

/** Fills queues of a server in a process of its own and drains them, one after another: receive
 *  ten, delete ten, one consumer for each group. */
export async function drainBacklogs(
  backlogs: readonly number[],
  onDrain: (drain: Drain) => void,
): Promise<readonly Drain[]> {
  const server = fork(new URL("./server-process.ts", import.meta.url));
  const [{ url }] = (await once(server, "message")) as [{ readonly url: string }];
  const client = jsonClient(url);
  const drains: Drain[] = [];
  try {
    for (const [index, backlog] of backlogs.entries()) {
      const QueueUrl = await filledQueue(client, `b${index}.fifo`, backlog);
      const before = await cpuSeconds(server);
      const tookMs = await drainAll(client, QueueUrl, backlog);
      const drain = {
        backlog,
        messagesPerSecond: (1000 * backlog) / tookMs,
        serverPerMessage: (1e6 * ((await cpuSeconds(server)) - before)) / backlog,
      };
      drains.push(drain);
      onDrain(drain);
    }
    return drains;
  } finally {
    client.close();
    server.disconnect();
  }
}

async function filledQueue(client: JsonClient, QueueName: string, count: number): Promise<string> {
  const Attributes = { FifoQueue: "true", VisibilityTimeout: "300" };
  const created = await client.call("CreateQueue", { QueueName, Attributes });
  const { QueueUrl } = created as { readonly QueueUrl: string };
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < count) {
      const from = next;
      next += BATCH;
      const Entries = Array.from({ length: BATCH }, (_, index) => ({
        Id: `e${index}`,
        MessageBody: BODY,
        MessageGroupId: `g${(from + index) % GROUPS}`,
        MessageDeduplicationId: `d${from + index}`,
      }));
      await client.call("SendMessageBatch", { QueueUrl, Entries });
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  return QueueUrl;
}

type Received = { readonly Messages?: readonly { readonly ReceiptHandle: string }[] };

type Deleted = { readonly Successful: readonly unknown[] };

/** Resolves to the milliseconds until the last message was deleted. */
async function drainAll(client: JsonClient, QueueUrl: string, count: number): Promise<number> {
  const startedMs = performance.now();
  let tookMs = Number.NaN;
  let done = 0;
  const receive = {
    ...{ QueueUrl, MaxNumberOfMessages: BATCH, WaitTimeSeconds: 1 },
    MessageSystemAttributeNames: ["All"],
  };
  const consume = async (): Promise<void> => {
    while (done < count) {
      const { Messages = [] } = (await client.call("ReceiveMessage", receive)) as Received;
      if (Messages.length === 0) continue;
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({
        Id: `e${index}`,
        ReceiptHandle,
      }));
      const deleted = await client.call("DeleteMessageBatch", { QueueUrl, Entries });
      done += (deleted as Deleted).Successful.length;
      // The other consumers' last polls still wait.
      if (done === count) tookMs = performance.now() - startedMs;
    }
  };
  await Promise.all(Array.from({ length: GROUPS }, consume));
  return tookMs;
}

async function cpuSeconds(server: ChildProcess): Promise<number> {
  const answer = once(server, "message");
  server.send("cpu");
  const [{ cpuSeconds: seconds }] = (await answer) as [{ readonly cpuSeconds: number }];
  return seconds;
}
