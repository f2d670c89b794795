import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
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
const source = new SqsReplaySource({ client, queueUrl: "https://sqs/source.fifo" });

const TAKEN = { MessageId: "m-1", MD5OfMessageBody: "unused" };

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
    sqs.on(SendMessageBatchCommand).resolves({ Successful: [{ ...TAKEN, Id: "0" }] });
    await expect(source.send(MESSAGE)).resolves.toEqual({ kind: "accepted", messageId: "m-1" });
    expect(sqs.commandCalls(SendMessageBatchCommand)[0]?.args[0].input).toEqual({
      QueueUrl: "https://sqs/source.fifo",
      Entries: [
        {
          Id: "0",
          MessageBody: "payload",
          MessageAttributes: {
            id: { DataType: "String", StringValue: "a" },
            b: { DataType: "Binary.gzip", BinaryValue: new Uint8Array([0, 255]) },
          },
          MessageGroupId: "7",
          MessageDeduplicationId: "d-1",
        },
      ],
    });
  });

  it("shares a request between ten messages of one moment, each with its own outcome", async () => {
    sqs.on(SendMessageBatchCommand).callsFake(({ Entries = [] }) => ({
      $metadata: { attempts: 1 },
      Successful: [{ ...TAKEN, Id: "0" }],
      Failed: [
        { Id: "1", SenderFault: true, Code: "InvalidMessageContents", Message: "no" },
        { Id: "2", SenderFault: false, Code: "InternalError", Message: "half-way" },
      ].slice(0, Entries.length - 1),
    }));
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, n) => source.send({ ...MESSAGE, group: String(n) })),
    );
    const requests = sqs.commandCalls(SendMessageBatchCommand);
    expect(requests.map((call) => call.args[0].input.Entries?.length)).toEqual([10, 2]);
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      "accepted",
      "refused",
      "unknown",
      ...Array.from({ length: 7 }, () => "unknown"),
      "accepted",
      "refused",
    ]);
  });

  it("does not call an entry refused where an earlier try may have brought it", async () => {
    sqs.on(SendMessageBatchCommand).resolves({
      $metadata: { attempts: 2 },
      Failed: [{ Id: "0", SenderFault: true, Code: "AccessDenied" }],
    });
    await expect(source.send(MESSAGE)).resolves.toMatchObject({ kind: "unknown" });
  });

  it("keeps a request below the bytes that SQS takes", async () => {
    sqs.on(SendMessageBatchCommand).resolves({ Successful: [{ ...TAKEN, Id: "0" }] });
    const body = "x".repeat(700_000);
    await Promise.all(["1", "2"].map((group) => source.send({ ...MESSAGE, body, group })));
    expect(sqs.commandCalls(SendMessageBatchCommand).length).toBe(2);
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
  it("are removed by their handles, ten at a time, and a refusal is thrown for its own", async () => {
    sqs.on(DeleteMessageBatchCommand).callsFake(({ Entries = [] }) => ({
      Successful: Entries.slice(1).map(({ Id = "" }) => ({ Id })),
      Failed: [{ Id: "0", Code: "ReceiptHandleIsInvalid", Message: "expired", SenderFault: true }],
    }));
    const removals = await Promise.allSettled(
      Array.from({ length: 11 }, (_, n) =>
        letters.remove({ messageId: `m${n}`, receiptHandle: `h${n}` }),
      ),
    );
    const requests = sqs.commandCalls(DeleteMessageBatchCommand);
    expect(requests.map((call) => call.args[0].input.Entries?.length)).toEqual([10, 1]);
    expect(requests[0]?.args[0].input.Entries?.[1]).toEqual({ Id: "1", ReceiptHandle: "h1" });
    expect(removals.flatMap(({ status }, index) => (status === "rejected" ? [index] : []))).toEqual(
      [0, 10],
    );
  });

  it("throw where SQS did not answer for them", async () => {
    sqs.on(DeleteMessageBatchCommand).resolves({});
    await expect(letters.remove({ messageId: "m", receiptHandle: "h" })).rejects.toThrow(
      "not for this message",
    );
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
