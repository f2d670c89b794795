import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DynamoDBClient,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { LambdaClient, UpdateEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { Context } from "aws-lambda";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { partitionOf } from "../../lambdas/core/partition.ts";
import type { ReplayResult } from "../../lambdas/core/replay/replay-result.ts";
import { encodeLetter } from "../../lambdas/core/wire/wire-metadata.ts";
import { FUNCTION_ENVIRONMENT, LETTER_QUEUE_URL, SOURCE_URL } from "./function-environment.ts";

const sqs = mockClient(SQSClient);
const dynamo = mockClient(DynamoDBClient);
const lambda = mockClient(LambdaClient);
// Powertools writes past `console` otherwise, and the log is looked at here.
vi.stubEnv("POWERTOOLS_DEV", "true");
for (const [name, value] of Object.entries(FUNCTION_ENVIRONMENT)) vi.stubEnv(name, value);
const { handler } = await import("../../lambdas/replay.ts");

const context = {
  awsRequestId: "request-1",
  functionName: "replay",
  getRemainingTimeInMillis: () => 60_000,
} as Context;

const replay = (event: unknown) => handler(event, context) as Promise<ReplayResult>;

let lines: Record<string, unknown>[] = [];

beforeEach(() => {
  sqs.reset();
  dynamo.reset();
  lambda.reset();
  lines = [];
  for (const level of ["info", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => {
      lines.push(JSON.parse(line));
    });
  }
  sqs.on(ReceiveMessageCommand).resolves({});
  sqs.on(SendMessageBatchCommand).resolves({ Successful: [SENT] });
  sqs.on(DeleteMessageBatchCommand).resolves({ Successful: [{ Id: "0" }] });
  sqs.on(GetQueueAttributesCommand).resolves({ Attributes: {} });
  dynamo.on(UpdateItemCommand).resolves({});
  dynamo.on(ScanCommand).resolves({});
  dynamo.on(QueryCommand).resolves({});
  dynamo.on(BatchGetItemCommand).resolves({});
  lambda.on(UpdateEventSourceMappingCommand).resolves({ State: "Disabling" });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const SENT = { Id: "0", MessageId: "s", MD5OfMessageBody: "" };

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

/** What was written of acts, in order. */
const acts = () =>
  dynamo
    .commandCalls(UpdateItemCommand)
    .map(({ args }) => args[0].input)
    .filter(({ Key }) => Key?.["pk"]?.S === "acts")
    .map((input) => {
      const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } =
        input;
      return Object.fromEntries(
        Object.entries(names).map(([short, name]) => {
          const { S, N } = values[short.replace("#", ":")] ?? {};
          return [name, S ?? N];
        }),
      );
    });

describe("the replay function", () => {
  it("sends a letter to the source queue, removes it, and tells what became of it", async () => {
    sqs
      .on(ReceiveMessageCommand)
      .resolvesOnce({ Messages: [LETTER] })
      .resolves({});
    const applied = { id: { S: "a" }, state: { S: "applied" }, generation: { N: "1" } };
    dynamo.on(BatchGetItemCommand).callsFake(() => {
      const isSent = sqs.commandCalls(SendMessageBatchCommand).length > 0;
      return isSent ? { Responses: { ledger: [applied] } } : {};
    });
    const result = await replay({ requestedBy: "ann", why: "shop is back", ticket: "T-1" });
    expect(result).toMatchObject({ examined: 1, replayed: 1, errors: [], truncated: false });
    expect(sqs.commandCalls(SendMessageBatchCommand)[0]?.args[0].input).toMatchObject({
      QueueUrl: SOURCE_URL,
      Entries: [{ MessageGroupId: "13", MessageBody: "payload" }],
    });
    expect(sqs.commandCalls(DeleteMessageBatchCommand)[0]?.args[0].input).toEqual({
      QueueUrl: LETTER_QUEUE_URL,
      Entries: [{ Id: "0", ReceiptHandle: "h" }],
    });
    expect(lines).toEqual([
      expect.objectContaining({
        message: "act ended",
        service: "replay",
        backlog: "backlog",
        operation: "replay",
        who: "ann",
        why: "shop is back",
        ticket: "T-1",
        counts: expect.objectContaining({ replayed: 1 }),
        runId: result.runId,
      }),
    ]);
    expect(acts()).toMatchObject([
      { actId: result.runId, who: "ann", ticket: "T-1", state: "running" },
      { actId: result.runId, who: "ann", ticket: "T-1", state: "done" },
    ]);
  });

  it("writes nothing at all in a dry run", async () => {
    await replay({ dryRun: true });
    expect(dynamo.commandCalls(UpdateItemCommand)).toHaveLength(0);
  });

  it.each([
    { limit: -1 },
    { operation: "replay", limit: -1 },
    [],
    { operation: "discard", filter: { key: "a" } },
    { operation: "pause" },
    { operation: "destroy" },
  ])("refuses the bad request %j before it touches anything, and logs it", async (request) => {
    await expect(replay(request)).rejects.toMatchObject({
      name: expect.stringMatching(/ReplayRequestError|UnknownOperationError/),
    });
    for (const mock of [sqs, dynamo, lambda]) expect(mock.calls()).toHaveLength(0);
    expect(lines).toEqual([
      expect.objectContaining({ message: "what was asked did not run to its end", request }),
    ]);
  });

  it("tells a second run who is at work, and touches no queue", async () => {
    dynamo.on(UpdateItemCommand).callsFake(({ Key }) => {
      if (Key.pk.S !== "lock") return {};
      throw new ConditionalCheckFailedException({
        message: "refused",
        $metadata: {},
        Item: { runId: { S: "run-0" }, who: { S: "ben" }, since: { N: "1700000000000" } },
      });
    });
    await expect(replay({})).rejects.toMatchObject({
      name: "ReplayHeldError",
      message: expect.stringContaining("run-0, requested by ben, since 2023-11-14T22:13:20.000Z"),
    });
    expect(sqs.calls()).toHaveLength(0);
    expect(acts().map(({ state }) => state)).toEqual(["running", "failed"]);
  });

  it("gives each run an id of its own", async () => {
    const first = await replay(undefined);
    const second = await replay({});
    expect(first.runId).not.toBe(second.runId);
  });

  it.each([
    { operation: "plan", answer: { counts: { ready: 0 }, letters: [], ledger: "ledger" } },
    { operation: "replay-status", answer: { lease: null } },
  ])("answers $operation and keeps no act of it", async ({ operation, answer }) => {
    await expect(handler({ operation, requestedBy: "ann" }, context)).resolves.toMatchObject(
      answer,
    );
    expect(acts()).toEqual([]);
  });

  it("asks a run to end, and keeps who asked", async () => {
    const event = { operation: "cancel", requestedBy: "ann", runId: "run-0" };
    await expect(handler(event, context)).resolves.toMatchObject({ runId: "run-0" });
    expect(acts()).toMatchObject([{ operation: "cancel", state: "running" }, { state: "done" }]);
  });

  it.each([
    { operation: "pause", Enabled: false, paused: true },
    { operation: "resume", Enabled: true, paused: false },
  ])("$operation turns the consumer's one mapping, and keeps who and why", async (row) => {
    const event = { operation: row.operation, requestedBy: "ann", why: "shop is down" };
    await expect(handler(event, context)).resolves.toEqual({ state: "Disabling" });
    const [
      {
        args: [{ input }],
      } = { args: [{ input: undefined }] },
    ] = lambda.commandCalls(UpdateEventSourceMappingCommand);
    expect(input).toEqual({ UUID: "mapping-1", Enabled: row.Enabled });
    const note = dynamo
      .commandCalls(UpdateItemCommand)
      .map((call) => call.args[0].input)
      .find(({ Key }) => Key?.["sk"]?.S === "consumer");
    expect(note?.ExpressionAttributeValues?.[":paused"]?.BOOL).toBe(row.paused);
  });
});
