import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DynamoActLedger, listActs, readAct } from "../../../lambdas/aws/ledger/acts-ledger.ts";
import type { Act } from "../../../lambdas/core/acts/act.ts";
import { type DynamoDb, startDynamoDb } from "../../../local/dynamodb/server.ts";
import { createLedgerTable } from "../../embedded/create-ledger-table.ts";

const START_MS = 1_800_000_000_000;

let server: DynamoDb;
let client: DynamoDBClient;
let nowMs = START_MS;
let tables = 0;
let ledger: { client: DynamoDBClient; table: string; nowMs: () => number; memorySeconds: number };

beforeAll(async () => {
  server = await startDynamoDb();
  client = new DynamoDBClient({ endpoint: server.url });
});

beforeEach(async () => {
  tables += 1;
  nowMs = START_MS;
  ledger = { client, table: `ledger-${tables}`, nowMs: () => nowMs, memorySeconds: 1000 };
  await createLedgerTable(client, ledger.table);
});

afterAll(async () => {
  client.destroy();
  await server.close();
});

function actOf(startedAtMs: number, given: Partial<Act> = {}): Act {
  return {
    actId: v7({ msecs: startedAtMs }),
    operation: "replay",
    who: "ann",
    why: "shop is back",
    ticket: undefined,
    planDigest: "d".repeat(64),
    filter: { partition: 3 },
    startedAtMs,
    endsByMs: startedAtMs + 900_000,
    endedAtMs: undefined,
    state: "running",
    error: undefined,
    counts: {},
    letters: [],
    omitted: 0,
    ...given,
  };
}

describe("acts in DynamoDB", () => {
  it("read back as they began, and as they ended", async () => {
    const acts = new DynamoActLedger(ledger);
    const act = actOf(START_MS);
    await acts.begin(act);
    expect(await readAct(ledger, act.actId)).toEqual(act);
    const ended: Act = {
      ...act,
      state: "done",
      endedAtMs: START_MS + 5000,
      counts: { replayed: 1, failed: 1 },
      letters: [{ id: "a", outcome: "failed", oldReason: "no gold", newReason: "no shop" }],
      omitted: 7,
    };
    await acts.end(ended);
    expect(await readAct(ledger, act.actId)).toEqual(ended);
    expect(await listActs(ledger, 10)).toEqual([{ ...ended, letters: [] }]);
  });

  it("are listed newest first, and no more than asked for", async () => {
    const acts = new DynamoActLedger(ledger);
    const all = [2, 0, 1].map((second) => actOf(START_MS + second * 1000));
    for (const act of all) await acts.begin(act);
    const listed = await listActs(ledger, 2);
    expect(listed.map(({ startedAtMs }) => startedAtMs)).toEqual([
      START_MS + 2000,
      START_MS + 1000,
    ]);
  });

  it("are forgotten with the ledger's memory", async () => {
    const act = actOf(START_MS);
    await new DynamoActLedger(ledger).begin(act);
    nowMs += 1_002_000;
    expect(await listActs(ledger, 10)).toEqual([]);
    expect(await readAct(ledger, act.actId)).toBeUndefined();
  });

  it.each(["x", "", "018c2f4a-0000-4000-8000-000000000000"])("are none of id `%s`", async (id) => {
    expect(await readAct(ledger, id)).toBeUndefined();
  });
});
