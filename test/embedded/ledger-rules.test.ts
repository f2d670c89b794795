import { DynamoDBClient, type TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DynamoLedger } from "../../lambdas/aws/ledger/ledger.ts";
import type { RecordRef } from "../../lambdas/core/ledger.ts";
import { startDynamoDb } from "../../local/dynamodb/server.ts";
import { createLedgerTable } from "./create-ledger-table.ts";

const MEMORY_SECONDS = 1000;
const START_MS = 1_700_000_000_000;

const record: RecordRef = {
  id: "r1",
  key: "player:1",
  partition: 5,
  offset: "18860000000000000001",
  enqueuedAtMs: START_MS,
  generation: 0,
};
const failure = { reason: "no", failedAtMs: START_MS };
const attempt = { attempts: 1, attemptId: "one", messageId: "m1" };

let server: Awaited<ReturnType<typeof startDynamoDb>>;
let client: DynamoDBClient;
let ledger: DynamoLedger;
let nowMs: number;
let tables = 0;

beforeAll(async () => {
  server = await startDynamoDb();
  client = new DynamoDBClient({ endpoint: server.url, region: "us-east-1" });
});

afterAll(async () => {
  client.destroy();
  await server.close();
});

beforeEach(async () => {
  tables += 1;
  nowMs = START_MS;
  const table = `ledger-${tables}`;
  await createLedgerTable(client, table);
  ledger = new DynamoLedger({ client, table, nowMs: () => nowMs, memorySeconds: MEMORY_SECONDS });
});

async function itemNow() {
  const [standing] = await ledger.standings([record]);
  return standing?.item;
}

/** DynamoDB has not deleted the item yet when its memory is over. */
describe("an applied record whose memory is over", () => {
  beforeEach(async () => {
    await ledger.markApplied(record);
    nowMs += MEMORY_SECONDS * 1000;
    expect(await itemNow()).toBeUndefined();
  });

  it("is counted as if it were new", async () => {
    expect(await ledger.count(record, attempt)).toEqual({ kind: "counted" });
    expect(await itemNow()).toMatchObject({ state: "retrying", attempts: 1 });
  });

  it("may die as if it were new", async () => {
    await ledger.markDead(record, { ...failure, attempts: 3, messageId: "m1" });
    expect(await itemNow()).toMatchObject({ state: "dead", attempts: 3 });
  });

  it("is marked applied as if it were new, but not where only existing items are meant", async () => {
    await ledger.markApplied(record, { onlyExisting: true });
    expect(await itemNow()).toBeUndefined();
    await ledger.markApplied(record);
    expect(await itemNow()).toMatchObject({ state: "applied" });
  });

  it("has its effects applied as if it were new", async () => {
    const none: readonly TransactWriteItem[] = [];
    expect(await ledger.applyWithEffects(record, none)).toEqual({ kind: "applied" });
    expect(await ledger.applyWithEffects(record, none)).toEqual({ kind: "already" });
  });
});

it("a record is remembered up to the last second of its memory", async () => {
  await ledger.markApplied(record);
  nowMs += MEMORY_SECONDS * 1000 - 1;
  expect(await itemNow()).toMatchObject({ state: "applied" });
  expect(await ledger.count(record, attempt)).toMatchObject({ kind: "refused" });
});

describe("what is final", () => {
  it("an applied record is neither counted nor dead nor applied again, in any generation", async () => {
    await ledger.markApplied(record);
    const replayed = { ...record, generation: 1 };
    for (const one of [record, replayed]) {
      expect(await ledger.count(one, attempt)).toMatchObject({ kind: "refused" });
      await ledger.markDead(one, { ...failure, attempts: 3, messageId: "m1" });
      expect(await ledger.applyWithEffects(one, [])).toEqual({ kind: "already" });
      expect(await itemNow()).toMatchObject({ state: "applied" });
    }
  });

  it("the generation stays where an older one succeeds late", async () => {
    await ledger.count({ ...record, generation: 2 }, attempt);
    await ledger.markApplied({ ...record, generation: 1 });
    expect(await itemNow()).toMatchObject({ state: "applied", generation: 2 });
  });

  it("a message that died is not counted again; another one is, from the start", async () => {
    await ledger.markDead(record, { ...failure, attempts: 3, messageId: "m1" });
    expect(await ledger.count(record, attempt)).toMatchObject({ kind: "refused" });
    const other = { ...attempt, messageId: "m2" };
    expect(await ledger.count(record, other)).toEqual({ kind: "counted" });
  });

  it("a batch entry keeps its names when another is added under the same offset", async () => {
    const entry = (id: string) => ({ id, key: "player:1", offset: record.offset ?? "" });
    await ledger.addEntry(5, [entry("r1")]);
    await ledger.addEntry(5, [entry("r2")]);
    const standings = await ledger.standings([record, { ...record, id: "r2" }]);
    expect(standings.map(({ entry }) => entry)).toEqual(["named", "named"]);
  });
});
