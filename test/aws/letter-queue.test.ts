import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  SQSServiceException,
} from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import { SqsLetterQueue, SqsReplaySource } from "../../lambdas/aws/letter-queue.ts";

const sqs = mockClient(SQSClient);
const client = new SQSClient({});
const queueUrl = "https://sqs.us-east-1.amazonaws.com/123456789012/letters.fifo";
const letters = new SqsLetterQueue({ client, queueUrl });

beforeEach(() => {
  sqs.reset();
});

const MESSAGE = {
  body: "payload",
  attributes: {
    id: { dataType: "String", stringValue: "a" },
    b: { dataType: "Binary.gzip", binaryValue: new Uint8Array([0, 255]) },
  },
  group: "7",
  deduplicationId: "d-1",
};

describe("receiving letters", () => {
  it("asks for ten with all attributes, hidden as long as told, from all of SQS's servers", async () => {
    sqs.on(ReceiveMessageCommand).resolves({});
    await expect(letters.receive(930)).resolves.toEqual([]);
    expect(sqs.commandCalls(ReceiveMessageCommand)[0]?.args[0].input).toEqual({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 930,
      WaitTimeSeconds: 1,
      MessageAttributeNames: ["All"],
      MessageSystemAttributeNames: ["All"],
    });
  });

  it("gives each message with its group, numbers and attributes", async () => {
    sqs.on(ReceiveMessageCommand).resolves({
      Messages: [
        {
          MessageId: "m",
          ReceiptHandle: "h",
          Body: "payload",
          Attributes: {
            MessageGroupId: "7",
            SequenceNumber: "18849496460467696128",
            ApproximateReceiveCount: "51",
            SentTimestamp: "1700000000000",
            ApproximateFirstReceiveTimestamp: "1700000000500",
          },
          MessageAttributes: {
            id: { DataType: "String", StringValue: "a" },
            b: { DataType: "Binary", BinaryValue: new Uint8Array([0, 255]) },
          },
        },
      ],
    });
    await expect(letters.receive(1)).resolves.toEqual([
      {
        messageId: "m",
        receiptHandle: "h",
        group: "7",
        receives: 51,
        sequenceNumber: "18849496460467696128",
        sentAtMs: 1_700_000_000_000,
        firstReceivedAtMs: 1_700_000_000_500,
        body: "payload",
        attributes: {
          id: { dataType: "String", stringValue: "a" },
          b: { dataType: "Binary", binaryValue: new Uint8Array([0, 255]) },
        },
      },
    ]);
  });

  it("hides them no longer than SQS can", async () => {
    sqs.on(ReceiveMessageCommand).resolves({});
    await letters.receive(50_000);
    expect(sqs.commandCalls(ReceiveMessageCommand)[0]?.args[0].input.VisibilityTimeout).toBe(
      43_200,
    );
  });
});

describe("sending", () => {
  it("names group and de-duplication id and keeps attributes of every type", async () => {
    sqs.on(SendMessageCommand).resolves({ MessageId: "m-1" });
    const source = new SqsReplaySource({ client, queueUrl: "https://sqs/source.fifo" });
    await expect(source.send(MESSAGE)).resolves.toEqual({ kind: "accepted", messageId: "m-1" });
    expect(sqs.commandCalls(SendMessageCommand)[0]?.args[0].input).toEqual({
      QueueUrl: "https://sqs/source.fifo",
      MessageBody: "payload",
      MessageAttributes: {
        id: { DataType: "String", StringValue: "a" },
        b: { DataType: "Binary.gzip", BinaryValue: new Uint8Array([0, 255]) },
      },
      MessageGroupId: "7",
      MessageDeduplicationId: "d-1",
    });
  });

  it.each([
    { fault: "client", status: 400, attempts: 1, kind: "refused", why: "SQS said no" },
    { fault: "client", status: 403, attempts: 1, kind: "refused", why: "it may not be sent" },
    {
      fault: "client",
      status: 400,
      attempts: 3,
      kind: "unknown",
      why: "an earlier try may have been accepted and its answer lost",
    },
    { fault: "server", status: 500, attempts: 1, kind: "unknown", why: "SQS failed half-way" },
  ] as const)("is $kind after $attempts tries and a $status: $why", async (given) => {
    sqs.on(SendMessageCommand).rejects(
      new SQSServiceException({
        name: "Whatever",
        message: "no",
        $fault: given.fault,
        $metadata: { httpStatusCode: given.status, attempts: given.attempts },
      }),
    );
    await expect(letters.send(MESSAGE)).resolves.toEqual({
      kind: given.kind,
      reason: "Whatever: no",
    });
  });

  it("is unknown where no answer came", async () => {
    sqs.on(SendMessageCommand).rejects(new Error("socket hang up"));
    await expect(letters.send(MESSAGE)).resolves.toEqual({
      kind: "unknown",
      reason: "socket hang up",
    });
  });
});

describe("letters in hand", () => {
  it("are removed by their handle, and a refusal is thrown", async () => {
    sqs.on(DeleteMessageCommand).resolvesOnce({}).rejects(new Error("handle has expired"));
    const held = { messageId: "m", receiptHandle: "h" };
    await letters.remove(held);
    expect(sqs.commandCalls(DeleteMessageCommand)[0]?.args[0].input).toEqual({
      QueueUrl: queueUrl,
      ReceiptHandle: "h",
    });
    await expect(letters.remove(held)).rejects.toThrow("handle has expired");
  });

  it("are given back ten at a time, each once, visible at once", async () => {
    sqs.on(ChangeMessageVisibilityBatchCommand).resolves({});
    const held = Array.from({ length: 73 }, (_, n) => ({
      messageId: `m${n}`,
      receiptHandle: `h${n}`,
    }));
    await letters.giveBack(held);
    const entries = sqs
      .commandCalls(ChangeMessageVisibilityBatchCommand)
      .map((call) => call.args[0].input.Entries ?? []);
    expect(entries.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([
      3, 10, 10, 10, 10, 10, 10, 10,
    ]);
    expect(new Set(entries.flat().map(({ ReceiptHandle }) => ReceiptHandle)).size).toBe(73);
    expect(entries.flat().every(({ VisibilityTimeout }) => VisibilityTimeout === 0)).toBe(true);
    for (const batch of entries) expect(new Set(batch.map(({ Id }) => Id)).size).toBe(batch.length);
  });

  it("are counted among SQS's own numbers", async () => {
    sqs.on(GetQueueAttributesCommand).resolves({
      Attributes: {
        ApproximateNumberOfMessages: "12",
        ApproximateNumberOfMessagesNotVisible: "3",
        ApproximateNumberOfMessagesDelayed: "0",
      },
    });
    await expect(letters.size()).resolves.toMatchObject({ visible: 12, inFlight: 3 });
  });
});
