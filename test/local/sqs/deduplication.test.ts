import { createHash } from "node:crypto";
import { PurgeQueueCommand, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
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

const SAME = { MessageDeduplicationId: "same" };

it("answers a duplicate like the first message and adds nothing", async () => {
  const queue = await client.createQueue();
  const first = await client.send(queue, "a", SAME);
  const second = await client.send(queue, "a", SAME);
  expect(second.MessageId).toBe(first.MessageId);
  expect(second.SequenceNumber).toBe(first.SequenceNumber);
  expect(await client.countsOf(queue)).toBe("1/0/0");
});

it("accepts a duplicate with another body, with the digest of that body, and drops it", async () => {
  const queue = await client.createQueue();
  await client.send(queue, "a", SAME);
  const second = await client.send(queue, "a again", SAME);
  expect(second.MD5OfMessageBody).toBe(createHash("md5").update("a again").digest("hex"));
  expect(bodiesOf(await client.receive(queue))).toBe("a");
});

it("remembers an id after its message was deleted", async () => {
  const queue = await client.createQueue();
  await client.send(queue, "a", SAME);
  const [message] = await client.receive(queue);
  await client.remove(queue, message);
  await client.send(queue, "a", SAME);
  expect(await client.countsOf(queue)).toBe("0/0/0");
});

it("forgets all ids when the queue is purged", async () => {
  const queue = await client.createQueue();
  await client.send(queue, "a", SAME);
  await client.sdk.send(new PurgeQueueCommand({ QueueUrl: queue }));
  await client.send(queue, "a", SAME);
  expect(bodiesOf(await client.receive(queue))).toBe("a");
});

it("finds duplicates within one batch, and both entries succeed", async () => {
  const queue = await client.createQueue();
  const { Successful } = await client.sdk.send(
    new SendMessageBatchCommand({
      QueueUrl: queue,
      Entries: ["x", "y"].map((Id) => ({ Id, MessageBody: "a", MessageGroupId: "a", ...SAME })),
    }),
  );
  expect(Successful).toHaveLength(2);
  expect(Successful?.[0]?.MessageId).toBe(Successful?.[1]?.MessageId);
  expect(await client.countsOf(queue)).toBe("1/0/0");
});

it.each([
  { scope: {}, delivered: "a", why: "ids are unique over the queue" },
  {
    scope: { DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" },
    delivered: "a b",
    why: "ids are unique within a group",
  },
])("delivers `$delivered` for one id in two groups: $why", async ({ scope, delivered }) => {
  const queue = await client.createQueue(scope);
  for (const body of ["a", "b", "a"]) await client.send(queue, body, SAME);
  expect(bodiesOf(await client.receive(queue))).toBe(delivered);
});

it("takes the SHA-256 of the body, without attributes, where de-duplication is by content", async () => {
  const queue = await client.createQueue({ ContentBasedDeduplication: "true" });
  const byContent = { MessageDeduplicationId: undefined };
  const MessageAttributes = { tier: { DataType: "String", StringValue: "gold" } };
  await client.send(queue, "a0", byContent);
  await client.send(queue, "a0", { ...byContent, MessageAttributes });
  await client.send(queue, "a1", byContent);
  const messages = await client.receive(queue);
  expect(bodiesOf(messages)).toBe("a0 a1");
  expect(messages[0]?.Attributes?.MessageDeduplicationId).toBe(
    createHash("sha256").update("a0").digest("hex"),
  );
});

it("gives sequence numbers of 20 digits that rise within a group", async () => {
  const queue = await client.createQueue();
  const numbers: string[] = [];
  for (const body of ["a0", "a1", "b0", "a2"]) {
    numbers.push((await client.send(queue, body)).SequenceNumber ?? "");
  }
  expect(numbers).toEqual([...numbers].sort());
  expect(new Set(numbers).size).toBe(4);
  for (const number of numbers) expect(number).toMatch(/^\d{20}$/);
});
