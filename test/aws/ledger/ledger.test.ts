import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DynamoDBClient,
  QueryCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import { DynamoLedger } from "../../../lambdas/aws/ledger/ledger.ts";
import type { RecordRef } from "../../../lambdas/core/ledger.ts";

const NOW_MS = 1_700_000_000_000;
const dynamo = mockClient(DynamoDBClient);
const ledger = new DynamoLedger({
  client: new DynamoDBClient({}),
  table: "ledger",
  nowMs: () => NOW_MS,
  memorySeconds: 1000,
});

const record: RecordRef = {
  id: "r1",
  key: "player:1",
  partition: 5,
  offset: "18860000000000000001",
  enqueuedAtMs: NOW_MS - 60_000,
  generation: 0,
};

const stored = (given: { readonly state: string; readonly [name: string]: unknown }) => ({
  pk: { S: "record#r1" },
  id: { S: "r1" },
  state: { S: given.state },
  generation: { N: String(given["generation"] ?? 0) },
  attempts: { N: String(given["attempts"] ?? 1) },
  expiresAt: { N: String(given["expiresAt"] ?? NOW_MS / 1000 + 10) },
  ...(given["attemptId"] === undefined ? {} : { attemptId: { S: String(given["attemptId"]) } }),
});

const refused = (item?: ReturnType<typeof stored>) =>
  new ConditionalCheckFailedException({
    message: "The conditional request failed",
    $metadata: {},
    ...(item === undefined ? {} : { Item: item }),
  });

const cancelled = (
  ...codes: readonly (string | { Code: string; Item?: ReturnType<typeof stored> })[]
) =>
  new TransactionCanceledException({
    message: "Transaction cancelled",
    $metadata: {},
    CancellationReasons: codes.map((code) => (typeof code === "string" ? { Code: code } : code)),
  });

const effect = { Update: { TableName: "wallets", Key: {}, UpdateExpression: "ADD gold :one" } };

beforeEach(() => dynamo.reset());

describe("counting an attempt", () => {
  it("sets the number under a condition and never adds one", async () => {
    dynamo.on(UpdateItemCommand).resolves({});
    const attempt = { attempts: 2, attemptId: "run:m1", messageId: "m1" };
    expect(await ledger.count(record, attempt)).toEqual({ kind: "counted" });
    const input = dynamo.commandCalls(UpdateItemCommand)[0]?.args[0].input;
    expect(input?.Key).toEqual({ pk: { S: "record#r1" }, sk: { S: "state" } });
    expect(input?.UpdateExpression).not.toContain("ADD");
    expect(input?.ExpressionAttributeValues).toMatchObject({
      ":attempts": { N: "2" },
      ":before": { N: "1" },
      ":expiresAt": { N: String(NOW_MS / 1000 + 1000) },
    });
    expect(input?.ReturnValuesOnConditionCheckFailure).toBe("ALL_OLD");
  });

  it("shows the item that refused it", async () => {
    dynamo.on(UpdateItemCommand).rejects(refused(stored({ state: "applied", attemptId: "other" })));
    const attempt = { attempts: 1, attemptId: "run:m1", messageId: "m1" };
    expect(await ledger.count(record, attempt)).toMatchObject({
      kind: "refused",
      item: { state: "applied", attemptId: "other" },
    });
  });

  it.each([
    {
      what: "a throttle",
      error: Object.assign(new Error("slow down"), { name: "ThrottlingException" }),
    },
    { what: "a refusal that shows no item", error: refused() },
  ])("throws on $what, for its outcome is unknown", async ({ error }) => {
    dynamo.on(UpdateItemCommand).rejects(error);
    const attempt = { attempts: 1, attemptId: "run:m1", messageId: "m1" };
    await expect(ledger.count(record, attempt)).rejects.toThrow();
  });
});

describe("taking an attempt back", () => {
  it("is refused once it happened, and where another attempt was counted since", async () => {
    dynamo.on(UpdateItemCommand).rejects(refused());
    await expect(ledger.uncount(record, "run:m1")).resolves.toBeUndefined();
    const input = dynamo.commandCalls(UpdateItemCommand)[0]?.args[0].input;
    expect(input).toMatchObject({
      UpdateExpression: "SET attempts = attempts - :one REMOVE attemptId",
      ConditionExpression: "attemptId = :attemptId AND #state = :retrying",
      ExpressionAttributeValues: { ":attemptId": { S: "run:m1" }, ":one": { N: "1" } },
    });
  });
});

describe("a batch entry", () => {
  it("is added under the smallest offset compared as a number, with the hashes of the keys", async () => {
    dynamo.on(UpdateItemCommand).resolves({});
    await ledger.addEntry(5, [
      { id: "b", key: "player:2", offset: "100" },
      { id: "a", key: "player:1", offset: "99" },
    ]);
    const input = dynamo.commandCalls(UpdateItemCommand)[0]?.args[0].input;
    expect(input?.Key).toEqual({
      pk: { S: "partition#5" },
      sk: { S: `offset#${"99".padStart(39, "0")}` },
    });
    expect(input?.UpdateExpression).toMatch(/^ADD ids :ids, keyHashes :keyHashes SET /);
    expect(input?.ExpressionAttributeValues?.[":ids"]).toEqual({ SS: ["b", "a"] });
  });

  it("costs one write unit for ten records with ids of a UUID's length", async () => {
    dynamo.on(UpdateItemCommand).resolves({});
    const records = Array.from({ length: 10 }, (_, n) => ({
      id: `0190a1b2-c3d4-7e5f-8a6b-00000000000${n}`,
      key: `player:${n}`,
      offset: `1886000000000000000${n}`,
    }));
    await ledger.addEntry(5, records);
    const { Key, ExpressionAttributeValues: values } =
      dynamo.commandCalls(UpdateItemCommand)[0]?.args[0].input ?? {};
    // Attribute names and values as DynamoDB counts them; JSON is an upper bound of that.
    expect(JSON.stringify([Key, values]).length).toBeLessThan(1024);
    expect(dynamo.calls()).toHaveLength(1);
  });
});

describe("standings", () => {
  it("reads all items at once and one entry for each record that its item does not settle", async () => {
    dynamo
      .on(BatchGetItemCommand)
      .resolves({ Responses: { ledger: [stored({ state: "applied" })] } });
    dynamo.on(QueryCommand).resolves({
      Items: [{ ids: { SS: ["r2"] }, expiresAt: { N: String(NOW_MS / 1000 + 1) } }],
    });
    const standings = await ledger.standings([record, { ...record, id: "r2" }]);
    expect(standings).toMatchObject([
      { item: { state: "applied" }, entry: "absent" },
      { item: undefined, entry: "named" },
    ]);
    expect(dynamo.commandCalls(QueryCommand)).toHaveLength(1);
    expect(dynamo.commandCalls(QueryCommand)[0]?.args[0].input).toMatchObject({
      Limit: 10,
      ScanIndexForward: false,
      ConsistentRead: true,
    });
  });

  it("treats expired items and entries as absent", async () => {
    const expiresAt = NOW_MS / 1000;
    dynamo
      .on(BatchGetItemCommand)
      .resolves({ Responses: { ledger: [stored({ state: "applied", expiresAt })] } });
    dynamo
      .on(QueryCommand)
      .resolves({ Items: [{ ids: { SS: ["r1"] }, expiresAt: { N: String(expiresAt) } }] });
    expect(await ledger.standings([record])).toEqual([{ item: undefined, entry: "absent" }]);
  });

  it("searches a partition's entries for a record without offset, back to an hour before it", async () => {
    dynamo.on(BatchGetItemCommand).resolves({ Responses: { ledger: [] } });
    const entry = (id: string, appliedAt: number) => ({
      ids: { SS: [id] },
      appliedAt: { N: String(appliedAt) },
      expiresAt: { N: String(NOW_MS / 1000 + 1) },
    });
    const oldest = record.enqueuedAtMs - 3_600_000;
    const search = async (...items: ReturnType<typeof entry>[]) => {
      dynamo.on(QueryCommand).resolves({ Items: items });
      const [standing] = await ledger.standings([{ ...record, offset: undefined }]);
      return standing?.entry;
    };
    expect(await search(entry("x", NOW_MS), entry("r1", oldest))).toBe("named");
    expect(await search(entry("x", oldest - 1), entry("r1", oldest - 2))).toBe("absent");
    const many = Array.from({ length: 10_000 }, () => entry("x", NOW_MS));
    expect(await search(...many)).toBe("unknown");
  });

  it("fails when keys stay unprocessed, rather than calling them absent", async () => {
    dynamo.on(BatchGetItemCommand).resolves({
      Responses: { ledger: [] },
      UnprocessedKeys: { ledger: { Keys: [{ pk: { S: "record#r1" }, sk: { S: "state" } }] } },
    });
    await expect(ledger.standings([record])).rejects.toThrow(/1 stayed unprocessed/);
  });
});

describe("effects", () => {
  it("go into one transaction behind the mark", async () => {
    dynamo.on(TransactWriteItemsCommand).resolves({});
    expect(await ledger.applyWithEffects(record, [effect])).toEqual({ kind: "applied" });
    const items = dynamo.commandCalls(TransactWriteItemsCommand)[0]?.args[0].input.TransactItems;
    expect(items).toHaveLength(2);
    expect(items?.[0]?.Update?.TableName).toBe("ledger");
    expect(items?.[1]).toEqual(effect);
  });

  it("count as applied before only when the mark's own condition failed on an applied item", async () => {
    const mark = { Code: "ConditionalCheckFailed", Item: stored({ state: "applied" }) };
    dynamo.on(TransactWriteItemsCommand).rejects(cancelled(mark, "ConditionalCheckFailed"));
    expect(await ledger.applyWithEffects(record, [effect])).toEqual({ kind: "already" });
  });

  it("are applied under a newer generation that is not applied itself", async () => {
    const mark = { Code: "ConditionalCheckFailed", Item: stored({ state: "dead", generation: 3 }) };
    dynamo.on(TransactWriteItemsCommand).rejectsOnce(cancelled(mark, "None")).resolves({});
    expect(await ledger.applyWithEffects(record, [effect])).toEqual({ kind: "applied" });
    const second = dynamo.commandCalls(TransactWriteItemsCommand)[1]?.args[0].input;
    expect(second?.TransactItems?.[0]?.Update?.UpdateExpression).not.toContain("generation =");
  });

  it.each([
    { codes: ["None", "ConditionalCheckFailed"], why: "the game's own condition" },
    { codes: ["None", "ValidationError"], why: "an invalid write" },
    { codes: ["None", "ItemCollectionSizeLimitExceeded"], why: "a full collection" },
  ])("are a failed attempt on $why", async ({ codes }) => {
    dynamo.on(TransactWriteItemsCommand).rejects(cancelled(...codes));
    expect(await ledger.applyWithEffects(record, [effect])).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("effect 1"),
    });
  });

  it("are a failed attempt where DynamoDB cannot read them", async () => {
    const unread = Object.assign(new Error("NUMBER_VALUE cannot be converted to String"), {
      name: "SerializationException",
      $metadata: { httpStatusCode: 400 },
    });
    dynamo.on(TransactWriteItemsCommand).rejects(unread);
    expect(await ledger.applyWithEffects(record, [effect])).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("NUMBER_VALUE"),
    });
  });

  it("throw where the request broke on its way, by whatever kind of error", async () => {
    const broken = Object.assign(new TypeError("terminated"), { $metadata: { attempts: 3 } });
    dynamo.on(TransactWriteItemsCommand).rejects(broken);
    await expect(ledger.applyWithEffects(record, [effect])).rejects.toThrow("terminated");
  });

  it.each([
    { codes: ["TransactionConflict", "None"], why: "a conflict on the mark" },
    { codes: ["None", "ThrottlingError"], why: "a throttle" },
    {
      codes: ["None", "ConditionalCheckFailed", "TransactionConflict"],
      why: "a conflict beside a condition",
    },
    { codes: [], why: "no reason given" },
  ])("throw on $why, which says nothing of the record", async ({ codes }) => {
    dynamo.on(TransactWriteItemsCommand).rejects(cancelled(...codes));
    await expect(ledger.applyWithEffects(record, [effect, effect])).rejects.toThrow();
  });

  it.each(["ledger", "arn:aws:dynamodb:eu-west-1:000000000000:table/ledger"])(
    "are forbidden on the ledger's own table, named as %s",
    async (TableName) => {
      const own = { Put: { TableName, Item: {} } };
      expect(await ledger.applyWithEffects(record, [effect, own])).toMatchObject({
        kind: "forbidden",
        reason: expect.stringContaining("effect 2"),
      });
      expect(dynamo.calls()).toHaveLength(0);
    },
  );
});

describe("marking applied", () => {
  it("leaves the index and keeps a newer generation", async () => {
    dynamo
      .on(UpdateItemCommand)
      .rejectsOnce(refused(stored({ state: "retrying", generation: 2 })))
      .resolves({});
    await ledger.markApplied(record);
    const [first, second] = dynamo.commandCalls(UpdateItemCommand);
    expect(first?.args[0].input.UpdateExpression).toContain("REMOVE openPartition, openOffset");
    expect(second?.args[0].input.UpdateExpression).not.toContain("generation");
  });

  it("does nothing where only existing items are meant and there is none", async () => {
    dynamo.on(UpdateItemCommand).rejects(refused());
    await ledger.markApplied(record, { onlyExisting: true });
    expect(dynamo.calls()).toHaveLength(1);
  });
});
