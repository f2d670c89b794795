import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Sqs, startSqs } from "../../../local/sqs/server.ts";
import { bodiesOf, type QueueClient, queueClient } from "./queue-client.ts";

let sqs: Sqs;
let client: QueueClient;

beforeAll(async () => {
  sqs = await startSqs();
  client = queueClient(sqs.url);
});

afterAll(() => sqs.close());

const MEBIBYTE = 1_048_576;

function entry(
  Id: string,
  fields: Partial<SendMessageBatchRequestEntry> = {},
): SendMessageBatchRequestEntry {
  return { Id, MessageBody: Id, MessageGroupId: "a", MessageDeduplicationId: Id, ...fields };
}

function sendBatch(QueueUrl: string, Entries: SendMessageBatchRequestEntry[]) {
  return client.sdk.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
}

describe("a message is refused", () => {
  it.each([
    { input: { MessageGroupId: undefined }, name: "MissingParameter", why: "it has no group" },
    {
      input: { MessageDeduplicationId: undefined },
      name: "InvalidParameterValue",
      why: "it has no de-duplication id",
    },
    { input: { MessageGroupId: "a b" }, name: "InvalidParameterValue", why: "of its group's name" },
    {
      input: { MessageGroupId: "a".repeat(129) },
      name: "InvalidParameterValue",
      why: "its group's name is too long",
    },
    {
      input: { MessageDeduplicationId: "ä" },
      name: "InvalidParameterValue",
      why: "of a letter in its id",
    },
    {
      input: { DelaySeconds: 5 },
      name: "InvalidParameterValue",
      why: "a FIFO queue delays no single message",
    },
    { input: { MessageBody: "" }, name: "MissingParameter", why: "it is empty" },
    {
      input: { MessageBody: "a\u0001b" },
      name: "InvalidMessageContents",
      why: "of a control character",
    },
    {
      input: { MessageBody: "a\uffff" },
      name: "InvalidMessageContents",
      why: "of a noncharacter",
    },
  ])("with $name if $why", async ({ input, name }) => {
    const queue = await client.createQueue();
    await expect(client.send(queue, "a", input)).rejects.toMatchObject({ name });
    expect(await client.countsOf(queue)).toBe("0/0/0");
  });

  it("from one byte above a mebibyte on", async () => {
    const queue = await client.createQueue();
    await client.send(queue, "x".repeat(MEBIBYTE));
    const [message] = await client.receive(queue);
    expect(message?.Body).toHaveLength(MEBIBYTE);
    await expect(client.send(queue, "x".repeat(MEBIBYTE + 1))).rejects.toMatchObject({
      name: "InvalidParameterValue",
    });
  });

  it("from one byte above the queue's own limit on, attributes and UTF-8 counted", async () => {
    const queue = await client.createQueue({ MaximumMessageSize: "1024" });
    const attributes = { k: { DataType: "String", StringValue: "v" } };
    const room = 1024 - "kStringv".length;
    const fitting = "ä".repeat(room / 2);
    await client.send(queue, fitting, { MessageGroupId: "a", MessageAttributes: attributes });
    await expect(
      client.send(queue, `${fitting}x`, { MessageGroupId: "a", MessageAttributes: attributes }),
    ).rejects.toMatchObject({
      name: "InvalidParameterValue",
      message: expect.stringContaining("1024 bytes"),
    });
  });
});

describe("a batch is refused as a whole", () => {
  it.each([
    { entries: [], name: "EmptyBatchRequest" },
    {
      entries: Array.from({ length: 11 }, (_, n) => entry(`e${n}`)),
      name: "TooManyEntriesInBatchRequest",
    },
    { entries: [entry("e"), entry("e")], name: "BatchEntryIdsNotDistinct" },
    { entries: [entry("bad id")], name: "InvalidBatchEntryId" },
    {
      entries: Array.from({ length: 10 }, (_, n) =>
        entry(`e${n}`, { MessageBody: "x".repeat(110_000) }),
      ),
      name: "BatchRequestTooLong",
    },
    {
      entries: [entry("e1"), entry("e2", { MessageGroupId: undefined })],
      name: "InvalidParameterValue",
    },
    {
      entries: [entry("e1"), entry("e2", { MessageDeduplicationId: undefined })],
      name: "InvalidParameterValue",
    },
  ])("with $name", async ({ entries, name }) => {
    const queue = await client.createQueue();
    await expect(sendBatch(queue, entries)).rejects.toMatchObject({
      name: expect.stringMatching(`${name}$`),
    });
    expect(await client.countsOf(queue)).toBe("0/0/0");
  });
});

describe("a batch fails in part", () => {
  it("where one message is too long, and the others are sent", async () => {
    const queue = await client.createQueue({ MaximumMessageSize: "1024" });
    const long = entry("long", { MessageBody: "x".repeat(2000) });
    const { Successful, Failed } = await sendBatch(queue, [long, entry("short")]);
    expect(Successful?.map(({ Id }) => Id)).toEqual(["short"]);
    expect(Failed).toMatchObject([
      { Id: "long", Code: "InvalidParameterValue", SenderFault: true },
    ]);
    expect(bodiesOf(await client.receive(queue))).toBe("short");
  });

  it("where one receipt handle is wrong, on delete and on change of visibility", async () => {
    const queue = await client.createQueue();
    await client.send(queue, "a0");
    const [message] = await client.receive(queue);
    const entries = [
      { Id: "good", ReceiptHandle: message?.ReceiptHandle, VisibilityTimeout: 60 },
      { Id: "bad", ReceiptHandle: "nonsense", VisibilityTimeout: 60 },
    ];
    const inPart = {
      Successful: [{ Id: "good" }],
      Failed: [{ Id: "bad", Code: "ReceiptHandleIsInvalid", SenderFault: true }],
    };
    const input = { QueueUrl: queue, Entries: entries };
    expect(await client.sdk.send(new ChangeMessageVisibilityBatchCommand(input))).toMatchObject(
      inPart,
    );
    expect(await client.sdk.send(new DeleteMessageBatchCommand(input))).toMatchObject(inPart);
    expect(await client.countsOf(queue)).toBe("0/0/0");
  });
});

describe("a request is refused", () => {
  it.each([
    { input: { MaxNumberOfMessages: 0 } },
    { input: { MaxNumberOfMessages: 11 } },
    { input: { WaitTimeSeconds: 21 } },
    { input: { VisibilityTimeout: 43_201 } },
  ])("that asks for $input", async ({ input }) => {
    const queue = await client.createQueue();
    await expect(client.receive(queue, input)).rejects.toMatchObject({
      name: "InvalidParameterValue",
    });
  });

  it("that hides a message for more than 12 hours", async () => {
    const queue = await client.createQueue();
    await client.send(queue, "a0");
    const [message] = await client.receive(queue);
    await client.hide(queue, message, 43_200);
    await expect(client.hide(queue, message, 43_201)).rejects.toMatchObject({
      name: "InvalidParameterValue",
    });
  });

  it("for a queue that is not there, in the words of both protocols", async () => {
    await expect(
      client.sdk.send(new GetQueueUrlCommand({ QueueName: "none" })),
    ).rejects.toMatchObject({ name: "QueueDoesNotExist", $metadata: { httpStatusCode: 400 } });
    const answer = await fetch(sqs.url, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": "AmazonSQS.GetQueueAttributes",
      },
      body: JSON.stringify({ QueueUrl: `${sqs.url}/000000000000/none` }),
    });
    expect(answer.headers.get("x-amzn-query-error")).toBe(
      "AWS.SimpleQueueService.NonExistentQueue;Sender",
    );
    expect(await answer.json()).toMatchObject({
      __type: expect.stringContaining("QueueDoesNotExist"),
    });
  });
});
