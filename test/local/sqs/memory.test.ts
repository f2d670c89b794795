import { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type DirectQueues, directQueues } from "./direct-queues.ts";

setFlagsFromString("--expose_gc");
const collectGarbage: () => void = runInNewContext("gc");

const QueueUrl = "q.fifo";
const ROUNDS = 300;
const BATCH = 10;

let queues: DirectQueues;

beforeEach(async () => {
  queues = directQueues();
  await queues.call("CreateQueue", {
    QueueName: QueueUrl,
    Attributes: { FifoQueue: "true", VisibilityTimeout: "43200" },
  });
});

afterEach(() => queues.engine.runtime.deadlines.close());

function queueInside() {
  const queue = queues.engine.queues.get(QueueUrl);
  if (queue === undefined) throw new Error("Expected the queue to be there, got none");
  return queue;
}

async function sendBatch(round: number, body: string): Promise<void> {
  await queues.call("SendMessageBatch", {
    QueueUrl,
    Entries: Array.from({ length: BATCH }, (_, n) => ({
      Id: `e${n}`,
      MessageBody: body,
      MessageGroupId: `g${n % 3}`,
      MessageDeduplicationId: `${round}-${n}`,
    })),
  });
}

async function receiveAndDelete(): Promise<void> {
  const { Messages } = await queues.call("ReceiveMessage", {
    QueueUrl,
    MaxNumberOfMessages: BATCH,
  });
  await queues.call("DeleteMessageBatch", {
    QueueUrl,
    Entries: Messages.map(({ ReceiptHandle }: { readonly ReceiptHandle: string }, n: number) => ({
      Id: `e${n}`,
      ReceiptHandle,
    })),
  });
}

it("holds nothing of deleted messages but their ids, though their timeouts were long", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await sendBatch(round, "body");
    await receiveAndDelete();
  }
  const queue = queueInside();
  expect(queue.messages.size).toBe(0);
  expect(queue.groups.size).toBe(0);
  expect(queue.arrivals.first).toBeUndefined();
  expect(queue.ready.first).toBeUndefined();
  expect(queue.counts).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  expect(queue.deduplication.size).toBe(ROUNDS * BATCH);
  // The sweep of the queue, and no timeout of a message.
  expect(queues.engine.runtime.deadlines.pending).toBe(1);
});

it("gives a deleted message to the garbage collector while older ones of its group stay", async () => {
  for (const body of ["kept", "dropped"]) {
    await queues.call("SendMessage", {
      QueueUrl,
      MessageBody: body,
      MessageGroupId: "g",
      MessageDeduplicationId: body,
    });
  }
  const references = [...queueInside().messages.values()].map(({ facts }) => new WeakRef(facts));
  const { Messages } = await queues.call("ReceiveMessage", { QueueUrl, MaxNumberOfMessages: 2 });
  await queues.call("DeleteMessage", { QueueUrl, ReceiptHandle: Messages[1].ReceiptHandle });
  await expect
    .poll(() => {
      collectGarbage();
      return references.map((reference) => reference.deref() !== undefined);
    })
    .toEqual([true, false]);
});

it("keeps no poll whose socket has closed, and no listener on a socket whose poll has ended", async () => {
  const gone = new Socket();
  const stays = new Socket();
  const input = { QueueUrl, WaitTimeSeconds: 20 };
  const polls = [queues.call("ReceiveMessage", input, gone)];
  polls.push(queues.call("ReceiveMessage", input, stays));
  gone.destroy();
  expect(await polls[0]).toEqual({});
  await sendBatch(0, "body");
  expect((await polls[1]).Messages).toHaveLength(1);
  expect(queueInside().waiters.first).toBeUndefined();
  expect(stays.listenerCount("close")).toBe(0);
  expect(queueInside().counts).toEqual({ visible: 9, inFlight: 1, delayed: 0 });
});

it("gives nothing to a socket that died before its poll was heard of, or before it was told", async () => {
  const dead = new Socket();
  dead.destroy();
  await sendBatch(0, "body");
  expect(await queues.call("ReceiveMessage", { QueueUrl }, dead)).toEqual({});
  await receiveAndDelete();
  const dying = new Socket();
  const poll = queues.call("ReceiveMessage", { QueueUrl, WaitTimeSeconds: 20 }, dying);
  // Destroyed, and `close` not yet emitted: that comes on a later turn.
  dying.destroy();
  await sendBatch(1, "body");
  expect(await poll).toEqual({});
  expect(queueInside().counts).toEqual({ visible: 10, inFlight: 0, delayed: 0 });
});
