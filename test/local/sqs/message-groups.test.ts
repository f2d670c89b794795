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

// Most rules of groups are asked in test/conformance/cases/order.ts, of this engine and of others.

it("goes round the groups, so that a long one starves no other", async () => {
  const queue = await queueWith("a0", "a1", "a2", "b0");
  const [first] = await client.receive(queue, { MaxNumberOfMessages: 1 });
  await client.remove(queue, first);
  expect(bodiesOf(await client.receive(queue, { MaxNumberOfMessages: 1 }))).toBe("b0");
});

it("holds a group back behind a message in flight, also what is sent meanwhile", async () => {
  const queue = await queueWith("a0", "a1");
  await client.receive(queue);
  await client.send(queue, "a2");
  expect(bodiesOf(await client.receive(queue))).toBe("");
});

it("hands the messages of a standard queue out one by one, whatever is in flight", async () => {
  const queue = await client.createQueue({}, "-standard");
  const plain = { MessageGroupId: undefined, MessageDeduplicationId: undefined };
  for (const body of ["a0", "a1", "a2"]) await client.send(queue, body, plain);
  expect(bodiesOf(await client.receive(queue, { MaxNumberOfMessages: 1 }))).toBe("a0");
  expect(bodiesOf(await client.receive(queue))).toBe("a1 a2");
});
