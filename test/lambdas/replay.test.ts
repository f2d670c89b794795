import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DynamoDBClient,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { Context } from "aws-lambda";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { partitionOf } from "../../lambdas/core/partition.ts";
import { encodeLetter } from "../../lambdas/core/wire/wire-metadata.ts";
import { FUNCTION_ENVIRONMENT, LETTER_QUEUE_URL, SOURCE_URL } from "./function-environment.ts";

const sqs = mockClient(SQSClient);
const dynamo = mockClient(DynamoDBClient);
// Powertools writes past `console` otherwise, and the log is looked at here.
vi.stubEnv("POWERTOOLS_DEV", "true");
for (const [name, value] of Object.entries(FUNCTION_ENVIRONMENT)) vi.stubEnv(name, value);
const { handler } = await import("../../lambdas/replay.ts");

const context = {
  awsRequestId: "request-1",
  functionName: "replay",
  getRemainingTimeInMillis: () => 60_000,
} as Context;

let lines: Record<string, unknown>[] = [];

beforeEach(() => {
  sqs.reset();
  dynamo.reset();
  lines = [];
  for (const level of ["info", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => {
      lines.push(JSON.parse(line));
    });
  }
  sqs.on(ReceiveMessageCommand).resolves({});
  sqs.on(GetQueueAttributesCommand).resolves({ Attributes: {} });
  dynamo.on(UpdateItemCommand).resolves({});
  dynamo.on(ScanCommand).resolves({});
  dynamo.on(QueryCommand).resolves({});
  dynamo.on(BatchGetItemCommand).resolves({});
});

afterEach(() => {
  vi.restoreAllMocks();
});

const KEY = "order-1";

const LETTER = {
  MessageId: "m",
  ReceiptHandle: "h",
  Body: "payload",
  Attributes: { MessageGroupId: "a", ApproximateReceiveCount: "1", SentTimestamp: "1" },
  MessageAttributes: {
    id: { DataType: "String", StringValue: "a" },
    key: { DataType: "String", StringValue: KEY },
    deadLetter: {
      DataType: "String",
      StringValue: encodeLetter({
        partition: partitionOf(KEY, 16),
        offset: "18849496460467696128",
        generation: 0,
        attempts: 3,
        reason: "no",
        failedAtMs: 1,
        enqueuedAtMs: 1,
      }).stringValue,
    },
  },
};

describe("the replay function", () => {
  it("sends a letter to the source queue, removes it, and tells what became of it", async () => {
    sqs
      .on(ReceiveMessageCommand)
      .resolvesOnce({ Messages: [LETTER] })
      .resolves({});
    sqs.on(SendMessageCommand).resolves({ MessageId: "s" });
    sqs.on(DeleteMessageCommand).resolves({});
    const applied = { id: { S: "a" }, state: { S: "applied" }, generation: { N: "1" } };
    dynamo
      .on(BatchGetItemCommand)
      .resolvesOnce({})
      .resolves({ Responses: { ledger: [applied] } });
    const result = await handler({ requestedBy: "ann", why: "shop is back" }, context);
    expect(result).toMatchObject({ examined: 1, replayed: 1, errors: [], truncated: false });
    expect(sqs.commandCalls(SendMessageCommand)[0]?.args[0].input).toMatchObject({
      QueueUrl: SOURCE_URL,
      MessageGroupId: "13",
      MessageBody: "payload",
    });
    expect(sqs.commandCalls(DeleteMessageCommand)[0]?.args[0].input).toEqual({
      QueueUrl: LETTER_QUEUE_URL,
      ReceiptHandle: "h",
    });
    expect(lines).toEqual([
      expect.objectContaining({
        message: "replay ended",
        service: "replay",
        backlog: "backlog",
        requestedBy: "ann",
        why: "shop is back",
        replayed: 1,
        runId: result.runId,
      }),
    ]);
  });

  it("refuses a bad request before it touches anything, and logs it", async () => {
    await expect(handler({ limit: -1 }, context)).rejects.toMatchObject({
      name: "ReplayRequestError",
      message: expect.stringContaining("`limit`"),
    });
    expect(sqs.calls()).toHaveLength(0);
    expect(dynamo.calls()).toHaveLength(0);
    expect(lines).toEqual([
      expect.objectContaining({ message: "replay did not run", request: { limit: -1 } }),
    ]);
  });

  it("tells a second run who is at work, and touches no queue", async () => {
    dynamo.on(UpdateItemCommand).rejects(
      new ConditionalCheckFailedException({
        message: "refused",
        $metadata: {},
        Item: { runId: { S: "run-0" }, who: { S: "ben" }, since: { N: "1700000000000" } },
      }),
    );
    await expect(handler({}, context)).rejects.toMatchObject({
      name: "ReplayHeldError",
      message: expect.stringContaining("run-0, requested by ben, since 2023-11-14T22:13:20.000Z"),
    });
    expect(sqs.calls()).toHaveLength(0);
  });

  it("gives each run an id of its own", async () => {
    const first = await handler(undefined, context);
    const second = await handler({}, context);
    expect(first.runId).not.toBe(second.runId);
  });
});
