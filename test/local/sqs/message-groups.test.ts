import { ChangeMessageVisibilityBatchCommand, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Sqs, startSqs } from "../../../local/sqs/server.ts";
import { bodiesOf, type QueueClient, queueClient } from "./queue-client.ts";

let sqs: Sqs;
let client: QueueClient;

beforeAll(async () => {
  sqs = await startSqs();
  client = queueClient(sqs.url);
});

afterAll(() => sqs.close());

async function queueWith(...bodies: readonly string[]): Promise<string> {
  const queue = await client.createQueue();
  for (const body of bodies) await client.send(queue, body);
  return queue;
}

it("hands out a group in the order in which it was sent", async () => {
  const bodies = Array.from({ length: 10 }, (_, index) => `a${index}`);
  expect(bodiesOf(await client.receive(await queueWith(...bodies)))).toBe(bodies.join(" "));
});

it("keeps the order of a batch", async () => {
  const queue = await client.createQueue();
  await client.sdk.send(
    new SendMessageBatchCommand({
      QueueUrl: queue,
      Entries: [4, 2, 9].map((n) => ({
        Id: `e${n}`,
        MessageBody: `a${n}`,
        MessageGroupId: "a",
        MessageDeduplicationId: `${n}`,
      })),
    }),
  );
  expect(bodiesOf(await client.receive(queue))).toBe("a4 a2 a9");
});

it("fills a receive from one group before it goes on to the next", async () => {
  const queue = await queueWith("a0", "b0", "a1", "a2");
  expect(bodiesOf(await client.receive(queue))).toBe("a0 a1 a2 b0");
});

it("goes round the groups, so that a long one starves no other", async () => {
  const queue = await queueWith("a0", "a1", "a2", "b0");
  const [first] = await client.receive(queue, { MaxNumberOfMessages: 1 });
  await client.remove(queue, first);
  expect(bodiesOf(await client.receive(queue, { MaxNumberOfMessages: 1 }))).toBe("b0");
});

it("holds a group back behind a message in flight, and no other group", async () => {
  const queue = await queueWith("a0", "a1", "b0", "b1");
  expect(bodiesOf(await client.receive(queue, { MaxNumberOfMessages: 1 }))).toBe("a0");
  expect(bodiesOf(await client.receive(queue))).toBe("b0 b1");
  await client.send(queue, "a2");
  expect(bodiesOf(await client.receive(queue))).toBe("");
});

it.each([
  { first: 0, last: 1, why: "the oldest is deleted first" },
  { first: 1, last: 0, why: "the younger is deleted first" },
])("frees a group only when all that is in flight is deleted: $why", async ({ first, last }) => {
  const queue = await queueWith("a0", "a1", "a2", "a3");
  const taken = await client.receive(queue, { MaxNumberOfMessages: 2 });
  await client.remove(queue, taken[first]);
  expect(bodiesOf(await client.receive(queue))).toBe("");
  await client.remove(queue, taken[last]);
  expect(bodiesOf(await client.receive(queue))).toBe("a2 a3");
});

it("hands out the oldest alone if only it is given back while later ones are in flight", async () => {
  const queue = await queueWith("a0", "a1", "a2", "a3");
  const [oldest] = await client.receive(queue, { MaxNumberOfMessages: 3 });
  await client.hide(queue, oldest, 0);
  expect(bodiesOf(await client.receive(queue))).toBe("a0");
});

it("holds a message that was given back behind older ones in flight", async () => {
  const queue = await queueWith("a0", "a1", "a2", "a3");
  const taken = await client.receive(queue, { MaxNumberOfMessages: 3 });
  await client.hide(queue, taken[1], 0);
  expect(bodiesOf(await client.receive(queue))).toBe("");
  await client.hide(queue, taken[2], 0);
  expect(bodiesOf(await client.receive(queue))).toBe("");
  await client.hide(queue, taken[0], 0);
  expect(bodiesOf(await client.receive(queue))).toBe("a0 a1 a2 a3");
});

it("hands a message that was given back out before any later one", async () => {
  const queue = await queueWith("a0", "a1", "a2");
  const [head, tail] = await client.receive(queue, { MaxNumberOfMessages: 2 });
  await client.hide(queue, tail, 0);
  await client.remove(queue, head);
  expect(bodiesOf(await client.receive(queue))).toBe("a1 a2");
});

it("keeps the order of a group that is given back in one batch, in any order", async () => {
  const queue = await queueWith("a0", "a1", "a2", "a3", "a4");
  const taken = await client.receive(queue, { MaxNumberOfMessages: 4 });
  const answer = await client.sdk.send(
    new ChangeMessageVisibilityBatchCommand({
      QueueUrl: queue,
      Entries: [3, 1, 0, 2].map((n) => ({
        Id: `e${n}`,
        ReceiptHandle: taken[n]?.ReceiptHandle,
        VisibilityTimeout: 0,
      })),
    }),
  );
  expect(answer.Successful).toHaveLength(4);
  expect(bodiesOf(await client.receive(queue))).toBe("a0 a1 a2 a3 a4");
});

it("hands the messages of a standard queue out one by one, whatever is in flight", async () => {
  const queue = await client.createQueue({}, "-standard");
  const plain = { MessageGroupId: undefined, MessageDeduplicationId: undefined };
  for (const body of ["a0", "a1", "a2"]) await client.send(queue, body, plain);
  expect(bodiesOf(await client.receive(queue, { MaxNumberOfMessages: 1 }))).toBe("a0");
  expect(bodiesOf(await client.receive(queue))).toBe("a1 a2");
});
