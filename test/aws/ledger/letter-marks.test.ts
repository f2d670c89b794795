import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DynamoLedger } from "../../../lambdas/aws/ledger/ledger.ts";
import { DynamoLetterMarks } from "../../../lambdas/aws/ledger/letter-marks.ts";
import { DynamoReplayLedger } from "../../../lambdas/aws/ledger/replay-ledger.ts";
import type { LedgerItem } from "../../../lambdas/core/ledger.ts";
import { type DynamoDb, startDynamoDb } from "../../../local/dynamodb/server.ts";
import { createLedgerTable } from "../../embedded/create-ledger-table.ts";

const MARK = { who: "ann", why: "test account", actId: "act-1", atMs: 1_700_000_000_000 };
const DEATH = { reason: "no gold", failedAtMs: 1_700_000_000_000, attempts: 3, messageId: "m" };

let server: DynamoDb;
let client: DynamoDBClient;
let nowMs = Date.now();
let table: {
  client: DynamoDBClient;
  table: string;
  nowMs: () => number;
  memorySeconds: number;
};
let tables = 0;

beforeAll(async () => {
  server = await startDynamoDb();
  client = new DynamoDBClient({ endpoint: server.url });
});

beforeEach(async () => {
  tables += 1;
  nowMs = Date.now();
  table = { client, table: `ledger-${tables}`, nowMs: () => nowMs, memorySeconds: 1000 };
  await createLedgerTable(client, table.table);
});

afterAll(async () => {
  client.destroy();
  await server.close();
});

const recordOf = (id: string, generation = 0) => ({
  id,
  key: "ann",
  partition: 3,
  offset: "18849496460467696128",
  enqueuedAtMs: 1_700_000_000_000,
  generation,
});

async function dead(id: string, generation = 0): Promise<LedgerItem> {
  await new DynamoLedger(table).markDead(recordOf(id, generation), DEATH);
  const item = (await new DynamoReplayLedger(table).items([id])).get(id);
  if (item === undefined) throw new Error(`there is an item of ${id}`);
  return item;
}

const marks = () => new DynamoLetterMarks(table);
const listed = async () =>
  (await new DynamoReplayLedger(table).deadRecords(undefined)).map(({ id }) => id).toSorted();

describe("marks on letters in DynamoDB", () => {
  it("take a record out of the index and list it with who, why and its facts", async () => {
    const item = await dead("a");
    await dead("b");
    await expect(marks().withhold(item, "discarded", MARK)).resolves.toBe(true);
    expect(await listed()).toEqual(["b"]);
    expect(await marks().withheld()).toEqual([
      {
        ...recordOf("a"),
        kind: "discarded",
        reason: "no gold",
        failedAtMs: DEATH.failedAtMs,
        mark: MARK,
      },
    ]);
  });

  it("put it back where it was", async () => {
    const item = await dead("a");
    await marks().withhold(item, "discarded", MARK);
    await expect(marks().release(item)).resolves.toBe(true);
    expect(await marks().withheld()).toEqual([]);
    const back = await new DynamoReplayLedger(table).deadRecords(3);
    expect(back).toEqual([item]);
    await expect(marks().release(item)).resolves.toBe(false);
  });

  it("put it back with another reason where an edit gave it one", async () => {
    const item = await dead("a");
    await marks().withhold(item, "editing", MARK);
    const digests = { digestBefore: "b", digestAfter: "a" };
    await marks().release(item, { ...digests, reason: "edited since: malformed" });
    const back = await new DynamoReplayLedger(table).deadRecords(3);
    expect(back).toEqual([{ ...item, reason: "edited since: malformed" }]);
  });

  it("can be set twice by the same act, and not by two of different kinds", async () => {
    const item = await dead("a");
    await marks().withhold(item, "editing", MARK);
    await expect(marks().withhold(item, "editing", MARK)).resolves.toBe(true);
    await expect(marks().withhold(item, "discarded", MARK)).resolves.toBe(false);
    expect(await marks().withheld()).toMatchObject([{ id: "a", kind: "editing" }]);
  });

  it("are refused for a record that is applied, of another generation, or not known", async () => {
    const item = await dead("a");
    await dead("a", 1);
    await expect(marks().withhold(item, "discarded", MARK)).resolves.toBe(false);
    const other = await dead("b");
    await new DynamoLedger(table).markApplied(other);
    await expect(marks().withhold(other, "discarded", MARK)).resolves.toBe(false);
    await expect(marks().withhold({ ...item, id: "x" }, "discarded", MARK)).resolves.toBe(false);
    expect(await marks().withheld()).toEqual([]);
  });

  it.each([
    {
      why: "is tried again",
      go: () =>
        new DynamoLedger(table).count(recordOf("a", 1), {
          attempts: 1,
          attemptId: "x",
          messageId: "n",
        }),
    },
    { why: "died again", go: () => new DynamoLedger(table).markDead(recordOf("a", 1), DEATH) },
    { why: "was applied", go: () => new DynamoLedger(table).markApplied(recordOf("a")) },
  ])("stand for nothing once the record $why, and leave it as it is", async ({ go }) => {
    const item = await dead("a");
    await marks().withhold(item, "discarded", MARK);
    await go();
    expect(await marks().withheld()).toEqual([]);
    const before = await new DynamoReplayLedger(table).items(["a"]);
    await expect(marks().release(item)).resolves.toBe(false);
    expect(await new DynamoReplayLedger(table).items(["a"])).toEqual(before);
  });

  it("end with the ledger's memory", async () => {
    await marks().withhold(await dead("a"), "discarded", MARK);
    nowMs += 1_001_000;
    expect(await marks().withheld()).toEqual([]);
  });

  it("forget a letter that is gone: neither listed nor withheld", async () => {
    const item = await dead("a");
    await marks().withhold(item, "discarded", MARK);
    await marks().forget(item);
    expect(await marks().withheld()).toEqual([]);
    expect(await listed()).toEqual([]);
    await expect(marks().release(item)).resolves.toBe(false);
    expect(await listed()).toEqual([]);
  });

  it("note since when SQS keeps a letter, where there is a record", async () => {
    await dead("a");
    await marks().noteSent("a", 1_700_000_500_000);
    const item = (await new DynamoReplayLedger(table).items(["a"])).get("a");
    expect(item?.letterSentAtMs).toBe(1_700_000_500_000);
    await marks().noteSent("x", 1);
    expect(await new DynamoReplayLedger(table).items(["x"])).toEqual(new Map());
  });
});
