import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { replayDeduplicationId } from "../../lambdas/core/wire/identity.ts";
import { type Sqs, startSqs } from "../../local/sqs/server.ts";

const START_MS = Date.UTC(2026, 0, 5, 12);

let sqs: Sqs;
let client: SQSClient;
let queues = 0;

beforeAll(async () => {
  sqs = await startSqs();
  client = new SQSClient({ endpoint: sqs.url });
});

afterAll(async () => {
  client.destroy();
  await sqs.close();
});

// The clock alone: the sockets keep their timers, and the engine reads the clock at each request.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: START_MS }));

afterEach(() => void vi.useRealTimers());

const second = (seconds: number) => vi.setSystemTime(START_MS + seconds * 1000);

/** A FIFO queue of its own; bodies stand for messages, and receipts are kept by body. */
async function fifo(attributes: Readonly<Record<string, string>> = {}) {
  queues += 1;
  const { QueueUrl = "" } = await client.send(
    new CreateQueueCommand({
      QueueName: `queue-${queues}.fifo`,
      Attributes: { FifoQueue: "true", VisibilityTimeout: "10", ...attributes },
    }),
  );
  let sent = 0;
  return {
    async arn() {
      const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] });
      return (await client.send(asked)).Attributes?.QueueArn ?? "";
    },
    send(body: string, group = "5", deduplicationId?: string) {
      sent += 1;
      const MessageDeduplicationId = deduplicationId ?? `id-${sent}`;
      return client.send(
        new SendMessageCommand({
          ...{ QueueUrl, MessageBody: body, MessageGroupId: group, MessageDeduplicationId },
        }),
      );
    },
    async receive(MaxNumberOfMessages = 10) {
      const asked = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages });
      const { Messages = [] } = await client.send(asked);
      return Messages.map(({ Body = "", ReceiptHandle = "" }) => ({ Body, ReceiptHandle }));
    },
    remove: (ReceiptHandle: string | undefined) =>
      client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })),
    hide: (ReceiptHandle: string | undefined, VisibilityTimeout: number) =>
      client.send(
        new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }),
      ),
  };
}

const bodies = (messages: readonly { readonly Body: string }[]) => messages.map(({ Body }) => Body);

it("C11: a stale receipt removes neither the newer delivery nor the record behind it", async () => {
  const queue = await fifo({ VisibilityTimeout: "5" });
  for (const body of ["A", "B"]) await queue.send(body);
  const [first] = await queue.receive(1);
  second(5);
  const [again] = await queue.receive(1);
  expect([first?.Body, again?.Body]).toEqual(["A", "A"]);
  await queue.remove(first?.ReceiptHandle).catch(() => undefined);
  expect(bodies(await queue.receive())).toEqual([]);
  second(6);
  await queue.remove(again?.ReceiptHandle);
  second(8);
  await queue.remove(first?.ReceiptHandle).catch(() => undefined);
  expect(bodies(await queue.receive())).toEqual(["B"]);
});

it("C13: gives nothing of a group while an earlier record of it is in flight", async () => {
  const queue = await fifo();
  for (const body of ["A", "B", "C"]) await queue.send(body);
  const [head] = await queue.receive();
  await queue.hide(head?.ReceiptHandle, 15);
  second(11);
  await queue.send("D");
  await queue.send("other", "6");
  expect(bodies(await queue.receive())).toEqual(["other"]);
  second(12);
  expect(bodies(await queue.receive())).toEqual([]);
  second(15);
  expect(bodies(await queue.receive())).toEqual(["A", "B", "C", "D"]);
});

it("C13: gives a group to one of two receivers that ask at once", async () => {
  const queue = await fifo();
  for (let n = 0; n < 10; n += 1) await queue.send(`r${n}`);
  const both = await Promise.all([queue.receive(5), queue.receive(5)]);
  expect(both.map(({ length }) => length).toSorted()).toEqual([0, 5]);
});

it("C14: frees the group once its head has moved to the dead-letter queue", async () => {
  const letters = await fifo();
  const policy = { deadLetterTargetArn: await letters.arn(), maxReceiveCount: 1 };
  const queue = await fifo({ RedrivePolicy: JSON.stringify(policy) });
  await queue.send("A");
  expect(bodies(await queue.receive())).toEqual(["A"]);
  second(10);
  expect(bodies(await queue.receive())).toEqual([]);
  await queue.send("E");
  expect(bodies(await queue.receive())).toEqual(["E"]);
  expect(bodies(await letters.receive())).toEqual(["A"]);
});

it("C15: remembers a de-duplication id for five minutes, deleted message or not", async () => {
  const queue = await fifo();
  await queue.send("first", "5", "D");
  const [received] = await queue.receive();
  await queue.remove(received?.ReceiptHandle);
  second(2);
  await queue.send("second", "5", "D");
  expect(bodies(await queue.receive())).toEqual([]);
  second(301);
  await queue.send("third", "5", "D");
  expect(bodies(await queue.receive())).toEqual(["third"]);
});

it.each([
  { scope: "messageGroup", limit: "perMessageGroupId", delivered: ["one", "two"] },
  { scope: "queue", limit: "perQueue", delivered: ["one"] },
])("C15: one id in two groups arrives as $delivered where the scope is $scope", async (row) => {
  const queue = await fifo({ DeduplicationScope: row.scope, FifoThroughputLimit: row.limit });
  await queue.send("one", "1", "D");
  await queue.send("two", "2", "D");
  expect(bodies(await queue.receive())).toEqual(row.delivered);
});

it("C24: takes a message under its first id within five minutes and gives nothing", async () => {
  const queue = await fifo();
  await queue.send("published", "5", "D");
  const [received] = await queue.receive();
  await queue.remove(received?.ReceiptHandle);
  second(120);
  await queue.send("sent again as it was", "5", "D");
  await queue.send("replayed", "5", replayDeduplicationId("D", 1));
  expect(bodies(await queue.receive())).toEqual(["replayed"]);
});

it("C36: refuses group and de-duplication ids of 129 characters or with a space", async () => {
  const queue = await fifo();
  for (const id of ["x".repeat(129), "a b", "🎮"]) {
    await expect(queue.send("body", id)).rejects.toThrow();
    await expect(queue.send("body", "5", id)).rejects.toThrow();
  }
  await expect(queue.send("body", "x".repeat(128), "!~")).resolves.toBeDefined();
});

it("C38: refuses the characters that SQS refuses and carries the rest as they are", async () => {
  const queue = await fifo();
  for (const text of ["\u0000", "\u0007", "\u001f", "\ufffe", "\uffff"]) {
    await expect(queue.send(`a${text}`)).rejects.toThrow();
  }
  const allowed = "\t\n\r \ud7ff\ue000\ufffd\u{10000}\u{10ffff}";
  await queue.send(allowed);
  expect(bodies(await queue.receive())).toEqual([allowed]);
});
