import { afterAll, beforeAll, expect, it } from "vitest";
import { type Sqs, startSqs } from "../../../local/sqs/server.ts";
import { type QueueClient, queueClient } from "./queue-client.ts";

let sqs: Sqs;
let client: QueueClient;

beforeAll(async () => {
  sqs = await startSqs();
  client = queueClient(sqs.url);
});

afterAll(() => sqs.close());

function sampleFor(queueUrl: string) {
  return sqs.sample().find(({ queueName }) => queueUrl.endsWith(`/${queueName}`));
}

it("counts what was sent, received, deleted and polled in vain, and what is there now", async () => {
  const queue = await client.createQueue();
  await client.receive(queue);
  for (const body of ["a0", "a1", "b0"]) await client.send(queue, body);
  await client.send(queue, "b0", { MessageDeduplicationId: "again" });
  await client.send(queue, "b0", { MessageDeduplicationId: "again" });
  const [message] = await client.receive(queue, { MaxNumberOfMessages: 2 });
  await client.remove(queue, message);
  await client.remove(queue, message);
  expect(sampleFor(queue)).toEqual({
    queueName: queue.slice(queue.lastIndexOf("/") + 1),
    arn: await client.arnOf(queue),
    sent: 4,
    sentBytes: 8,
    received: 2,
    deleted: 1,
    emptyReceives: 1,
    visible: 2,
    notVisible: 1,
    delayed: 0,
    oldestAgeSeconds: expect.any(Number),
  });
});

it("tells the age of the oldest message, in flight or not, and none of an empty queue", async () => {
  const queue = await client.createQueue();
  expect(sampleFor(queue)?.oldestAgeSeconds).toBeUndefined();
  await client.send(queue, "a0");
  const [message] = await client.receive(queue);
  await expect.poll(() => sampleFor(queue)?.oldestAgeSeconds).toBeGreaterThan(0.05);
  await client.send(queue, "a1");
  expect(sampleFor(queue)?.oldestAgeSeconds).toBeGreaterThan(0.05);
  const sentAt = Number(message?.Attributes?.SentTimestamp);
  expect(sampleFor(queue)?.oldestAgeSeconds).toBeLessThanOrEqual((Date.now() - sentAt) / 1000);
  await client.remove(queue, message);
  const [second] = await client.receive(queue);
  await client.remove(queue, second);
  expect(sampleFor(queue)?.oldestAgeSeconds).toBeUndefined();
});

it("counts a message that a redrive policy moved as neither deleted nor sent", async () => {
  const { source, letters } = await client.createPair(1);
  await client.send(source, "a0");
  await client.receive(source);
  await client.receive(source);
  expect(sampleFor(source)).toMatchObject({ sent: 1, received: 1, deleted: 0, visible: 0 });
  expect(sampleFor(letters)).toMatchObject({ sent: 0, sentBytes: 0, visible: 1 });
});
