import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DynamoDBClient,
  QueryCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import { DynamoReplayLedger } from "../../../lambdas/aws/ledger/replay-ledger.ts";

const NOW = 1_700_000_000_000;
const dynamo = mockClient(DynamoDBClient);
const ledger = new DynamoReplayLedger({
  client: new DynamoDBClient({}),
  table: "ledger",
  nowMs: () => NOW,
});
const LEASE = { runId: "run-1", who: "ann", sinceMs: NOW, expiresAtMs: NOW + 960_500 };

beforeEach(() => {
  dynamo.reset();
});

function refuseFor(runId: string) {
  dynamo.on(UpdateItemCommand).rejects(
    new ConditionalCheckFailedException({
      message: "refused",
      $metadata: {},
      Item: { runId: { S: runId }, who: { S: "ben" }, since: { N: "1699999999000" } },
    }),
  );
}

describe("taking the lease", () => {
  it("writes it where there is none, or an expired one", async () => {
    dynamo.on(UpdateItemCommand).resolves({});
    await expect(ledger.acquireLease(LEASE)).resolves.toBeUndefined();
    expect(dynamo.commandCalls(UpdateItemCommand)[0]?.args[0].input).toEqual({
      TableName: "ledger",
      Key: { pk: { S: "lock" }, sk: { S: "replay" } },
      UpdateExpression:
        "SET runId = :runId, who = :who, since = :since, leaseExpiresAt = :leaseExpiresAt, expiresAt = :expiresAt",
      ConditionExpression: "attribute_not_exists(pk) OR leaseExpiresAt <= :now",
      ExpressionAttributeValues: {
        ":runId": { S: "run-1" },
        ":who": { S: "ann" },
        ":since": { N: String(NOW) },
        ":leaseExpiresAt": { N: String(NOW + 960_500) },
        ":expiresAt": { N: "1700000961" },
        ":now": { N: String(NOW) },
      },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
  });

  it("says who holds it where another run does", async () => {
    refuseFor("run-0");
    await expect(ledger.acquireLease(LEASE)).resolves.toEqual({
      runId: "run-0",
      who: "ben",
      sinceMs: 1_699_999_999_000,
    });
  });

  it("knows its own lease, whose first answer was lost", async () => {
    refuseFor("run-1");
    await expect(ledger.acquireLease(LEASE)).resolves.toBeUndefined();
  });

  it("throws where the outcome is not known", async () => {
    dynamo.on(UpdateItemCommand).rejects(new Error("timed out"));
    await expect(ledger.acquireLease(LEASE)).rejects.toThrow("timed out");
  });
});

describe("releasing the lease", () => {
  it("ends it for its own run only, and minds no other", async () => {
    refuseFor("run-0");
    await expect(ledger.releaseLease("run-1")).resolves.toBeUndefined();
    expect(dynamo.commandCalls(UpdateItemCommand)[0]?.args[0].input).toMatchObject({
      UpdateExpression: "SET leaseExpiresAt = :never",
      ConditionExpression: "runId = :runId",
      ExpressionAttributeValues: { ":never": { N: "0" }, ":runId": { S: "run-1" } },
    });
  });

  it("throws where the outcome is not known", async () => {
    dynamo.on(UpdateItemCommand).rejects(new Error("timed out"));
    await expect(ledger.releaseLease("run-1")).rejects.toThrow("timed out");
  });
});

it("reads items by id, consistently, and leaves out ids without one", async () => {
  dynamo.on(BatchGetItemCommand).resolves({
    Responses: {
      ledger: [
        {
          id: { S: "a" },
          state: { S: "applied" },
          generation: { N: "1" },
          expiresAt: { N: "1700000001" },
        },
      ],
    },
  });
  const items = await ledger.items(["a", "b"]);
  expect([...items.keys()]).toEqual(["a"]);
  expect(items.get("a")).toMatchObject({ state: "applied", generation: 1 });
  const request = dynamo.commandCalls(BatchGetItemCommand)[0]?.args[0].input.RequestItems;
  expect(request?.["ledger"]?.ConsistentRead).toBe(true);
});

describe("the running replay", () => {
  const item = {
    runId: { S: "run-1" },
    who: { S: "ann" },
    since: { N: "1699999999000" },
    leaseExpiresAt: { N: String(NOW + 1) },
  };
  const stored = (lock: Record<string, AttributeValue>) =>
    dynamo.on(BatchGetItemCommand).resolves({ Responses: { ledger: [lock] } });

  it("is told from its lease", async () => {
    stored(item);
    await expect(ledger.currentLease()).resolves.toEqual({
      runId: "run-1",
      who: "ann",
      sinceMs: 1_699_999_999_000,
      expiresAtMs: NOW + 1,
      cancelled: false,
    });
  });

  it("is nobody once the lease was released or has expired", async () => {
    stored({ ...item, leaseExpiresAt: { N: String(NOW) } });
    await expect(ledger.currentLease()).resolves.toBeUndefined();
    dynamo.on(BatchGetItemCommand).resolves({});
    await expect(ledger.currentLease()).resolves.toBeUndefined();
  });

  it("is cancelled by its own id, not by what was asked of an earlier run", async () => {
    stored({ ...item, cancelledRunId: { S: "run-0" } });
    await expect(ledger.currentLease()).resolves.toMatchObject({ cancelled: false });
    stored({ ...item, cancelledRunId: { S: "run-1" } });
    await expect(ledger.currentLease()).resolves.toMatchObject({ cancelled: true });
  });

  it("takes a cancellation only while it holds the lease", async () => {
    dynamo.on(UpdateItemCommand).resolves({});
    await expect(ledger.requestCancel("run-1")).resolves.toBe(true);
    expect(dynamo.commandCalls(UpdateItemCommand)[0]?.args[0].input).toMatchObject({
      UpdateExpression: "SET cancelledRunId = :runId",
      ConditionExpression: "runId = :runId AND leaseExpiresAt > :now",
    });
    refuseFor("run-2");
    await expect(ledger.requestCancel("run-1")).resolves.toBe(false);
  });
});

it("reads batch entries, newest first, up to the first that has expired", async () => {
  dynamo.on(QueryCommand).resolves({
    Items: [
      {
        sk: { S: `offset#${"7".padStart(39, "0")}` },
        ids: { SS: ["a", "b"] },
        keyHashes: { NS: ["5"] },
        appliedAt: { N: "9" },
        expiresAt: { N: "1700000001" },
      },
      { sk: { S: "offset#6" }, expiresAt: { N: "1700000000" } },
    ],
    LastEvaluatedKey: { pk: { S: "x" } },
  });
  await expect(ledger.batchEntries(3, "8", 2)).resolves.toEqual({
    entries: [
      { offset: "7".padStart(39, "0"), ids: new Set(["a", "b"]), keyHashes: [5], appliedAtMs: 9 },
    ],
    end: true,
  });
  expect(dynamo.commandCalls(QueryCommand)[0]?.args[0].input).toMatchObject({
    ExpressionAttributeValues: {
      ":pk": { S: "partition#3" },
      ":last": { S: `offset#${"8".padStart(39, "0")}` },
    },
    ScanIndexForward: false,
    Limit: 2,
    ConsistentRead: true,
  });
});
