import {
  BatchGetItemCommand,
  DynamoDBClient,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import {
  ChangeMessageVisibilityBatchCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { Context, SQSEvent } from "aws-lambda";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { toEnvironment } from "../../lambdas/core/environment.ts";
import { partitionOf } from "../../lambdas/core/partition.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";

const game = vi.hoisted(() => ({ handle: vi.fn() }));
vi.mock("#handler", () => game);

const dynamo = mockClient(DynamoDBClient);
const sqs = mockClient(SQSClient);

const deployment = {
  settings: settingsOf(),
  sourceUrl: "source",
  letterQueueUrl: "letters",
  ledgerTable: "ledger",
};
for (const [name, value] of Object.entries(toEnvironment(deployment))) vi.stubEnv(name, value);
// Powertools then logs through the global console, where a test can listen.
vi.stubEnv("POWERTOOLS_DEV", "true");
const { handler } = await import("../../lambdas/consumer.ts");

const context = {
  awsRequestId: "request",
  functionName: "consumer",
  getRemainingTimeInMillis: () => 60_000,
} as Context;

function eventOf(
  ids: readonly string[],
  {
    receives = 1,
    keys = () => "player:1",
  }: { receives?: number; keys?: (n: number) => string } = {},
): SQSEvent {
  return {
    Records: ids.map((id, n) => ({
      messageId: `m-${id}`,
      receiptHandle: `handle-${id}`,
      body: JSON.stringify({ n }),
      attributes: {
        ApproximateReceiveCount: String(receives),
        SentTimestamp: String(Date.now()),
        SenderId: "AIDA",
        ApproximateFirstReceiveTimestamp: String(Date.now()),
        MessageGroupId: String(partitionOf(keys(n), 64)),
        SequenceNumber: String(18_860_000_000_000_000_000n + BigInt(n)),
      },
      messageAttributes: {
        id: { dataType: "String", stringValue: id },
        key: { dataType: "String", stringValue: keys(n) },
      },
      md5OfBody: "",
      eventSource: "aws:sqs",
      eventSourceARN: "arn",
      awsRegion: "us-east-1",
    })),
  };
}

const TEN = Array.from({ length: 10 }, (_, n) => `r${n}`);

/** Ten keys, no two of one partition. */
const SPREAD = (() => {
  const keys = new Map<number, string>();
  for (let n = 0; keys.size < 10; n += 1) keys.set(partitionOf(`player:${n}`, 64), `player:${n}`);
  return [...keys.values()];
})();

beforeEach(() => {
  dynamo.reset();
  sqs.reset();
  game.handle.mockReset();
  dynamo.on(UpdateItemCommand).resolves({});
  dynamo.on(TransactWriteItemsCommand).resolves({});
  dynamo.on(BatchGetItemCommand).resolves({ Responses: { ledger: [] } });
  dynamo.on(QueryCommand).resolves({ Items: [] });
  sqs.on(ChangeMessageVisibilityBatchCommand).resolves({});
  sqs.on(SendMessageCommand).resolves({});
});

describe("the consumer function", () => {
  it("makes 0 reads and 1 write for a plain batch of ten in one group", async () => {
    expect(await handler(eventOf(TEN), context)).toEqual({ batchItemFailures: [] });
    expect(game.handle).toHaveBeenCalledTimes(10);
    expect(dynamo.calls()).toHaveLength(1);
    expect(dynamo.commandCalls(UpdateItemCommand)).toHaveLength(1);
    expect(sqs.calls()).toHaveLength(0);
  });

  it("makes 0 reads and 10 writes side by side for ten groups", async () => {
    let writing = 0;
    let most = 0;
    dynamo.on(UpdateItemCommand).callsFake(async () => {
      writing += 1;
      most = Math.max(most, writing);
      await new Promise((resolve) => setImmediate(resolve));
      writing -= 1;
      return {};
    });
    const event = eventOf(TEN, { keys: (n) => SPREAD[n] ?? "" });
    expect(await handler(event, context)).toEqual({ batchItemFailures: [] });
    expect(dynamo.calls()).toHaveLength(10);
    expect(most).toBe(10);
  });

  it("makes one transaction a record and nothing else when the handler returns effects", async () => {
    game.handle.mockResolvedValue({
      effects: [{ Put: { TableName: "game", Item: { pk: { S: "x" } } } }],
    });
    await handler(eventOf(TEN), context);
    expect(dynamo.commandCalls(TransactWriteItemsCommand)).toHaveLength(10);
    expect(dynamo.calls()).toHaveLength(10);
  });

  it("answers with the failed record and all behind it of its group, in order", async () => {
    game.handle.mockImplementation(({ id }: { id: string }) => {
      if (id === "r2") throw new Error("no");
    });
    const { batchItemFailures } = await handler(eventOf(TEN.slice(0, 5)), context);
    expect(batchItemFailures).toEqual([
      { itemIdentifier: "m-r2" },
      { itemIdentifier: "m-r3" },
      { itemIdentifier: "m-r4" },
    ]);
    expect(sqs.commandCalls(ChangeMessageVisibilityBatchCommand)).toHaveLength(1);
  });

  it("reads the ledger once for a batch that was received before", async () => {
    await handler(eventOf(TEN, { receives: 2 }), context);
    expect(dynamo.commandCalls(BatchGetItemCommand)).toHaveLength(1);
    expect(dynamo.commandCalls(QueryCommand)).toHaveLength(1);
  });

  it("writes neither payloads nor credentials to its log", async () => {
    const lines: string[] = [];
    const spies = (["info", "warn", "error", "log"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((line) => void lines.push(String(line))),
    );
    game.handle.mockRejectedValue(new Error("no"));
    const event = eventOf(["r1"]);
    const [first] = event.Records;
    if (first !== undefined) first.body = "the-secret-payload";
    await handler(event, context);
    for (const spy of spies) spy.mockRestore();
    expect(lines.join("\n")).toContain("r1");
    expect(lines.join("\n")).not.toContain("the-secret-payload");
  });
});
