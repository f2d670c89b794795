import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DynamoLedger } from "../../lambdas/aws/ledger/ledger.ts";
import type { Ledger, RecordRef } from "../../lambdas/core/ledger.ts";
import { startDynamoDb } from "../../local/dynamodb/server.ts";
import { MemoryLedger } from "../core/memory-ledger.ts";
import { createLedgerTable } from "./create-ledger-table.ts";

const NOW_MS = 1_700_000_000_000;

let server: Awaited<ReturnType<typeof startDynamoDb>>;
let client: DynamoDBClient;

beforeAll(async () => {
  server = await startDynamoDb();
  client = new DynamoDBClient({ endpoint: server.url, region: "us-east-1" });
});

afterAll(async () => {
  client.destroy();
  await server.close();
});

async function createLedger(table: string): Promise<DynamoLedger> {
  await createLedgerTable(client, table);
  return new DynamoLedger({ client, table, nowMs: () => NOW_MS, memorySeconds: 1000 });
}

/** Two records and three generations are enough for every rule to meet every other. */
const recordRef = fc.record({
  which: fc.integer({ min: 1, max: 2 }),
  generation: fc.integer({ min: 0, max: 2 }),
});

const operation = fc.oneof(
  fc.record({
    kind: fc.constant("count" as const),
    record: recordRef,
    attempts: fc.integer({ min: 1, max: 4 }),
    attemptId: fc.constantFrom("one", "two"),
    messageId: fc.constantFrom("m1", "m2"),
    reason: fc.option(fc.constantFrom("no", ""), { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant("uncount" as const),
    record: recordRef,
    attemptId: fc.constantFrom("one", "two"),
  }),
  fc.record({
    kind: fc.constant("note" as const),
    record: recordRef,
    attemptId: fc.constantFrom("one", "two"),
  }),
  fc.record({
    kind: fc.constant("dead" as const),
    record: recordRef,
    attempts: fc.integer({ min: 0, max: 3 }),
    messageId: fc.constantFrom("m1", "m2"),
    letterSentAtMs: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant("applied" as const),
    record: recordRef,
    onlyExisting: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("effects" as const), record: recordRef }),
  fc.record({ kind: fc.constant("entry" as const), which: fc.subarray([1, 2], { minLength: 1 }) }),
);

type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

function refOf({ which, generation }: { which: number; generation: number }): RecordRef {
  return {
    id: `r${which}`,
    key: "player:1",
    partition: 5,
    // The second offset is longer: text order and number order differ.
    offset: which === 1 ? "999" : "1000",
    enqueuedAtMs: NOW_MS,
    generation,
  };
}

async function perform(ledger: Ledger<never>, operation: Operation): Promise<unknown> {
  switch (operation.kind) {
    case "count": {
      const { record, attempts, attemptId, messageId, reason } = operation;
      const failure = reason === undefined ? undefined : { reason, failedAtMs: NOW_MS };
      return ledger.count(refOf(record), { attempts, attemptId, messageId }, failure);
    }
    case "uncount":
      return ledger.uncount(refOf(operation.record), operation.attemptId);
    case "note": {
      const { record, attemptId } = operation;
      return ledger.noteFailure(refOf(record), { reason: "noted", failedAtMs: NOW_MS, attemptId });
    }
    case "dead": {
      const { record, attempts, messageId, letterSentAtMs } = operation;
      const death = { reason: "dead", failedAtMs: NOW_MS, attempts, messageId };
      const sent = letterSentAtMs === undefined ? {} : { letterSentAtMs };
      return ledger.markDead(refOf(record), { ...death, ...sent });
    }
    case "applied":
      return ledger.markApplied(refOf(operation.record), { onlyExisting: operation.onlyExisting });
    case "effects":
      return ledger.applyWithEffects(refOf(operation.record), []);
    case "entry": {
      const records = operation.which.map((which) => refOf({ which, generation: 0 }));
      return ledger.addEntry(
        5,
        records.map(({ id, key, offset }) => ({ id, key, offset: offset ?? "" })),
      );
    }
    default:
      return operation satisfies never;
  }
}

it("gives the same answers on DynamoDB's expressions as the ledger in memory", async () => {
  let tables = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
      tables += 1;
      const dynamo = await createLedger(`ledger-${tables}`);
      const memory = new MemoryLedger();
      for (const one of operations) {
        expect(await perform(dynamo as never, one)).toEqual(await perform(memory as never, one));
        const refs = [1, 2].map((which) => refOf({ which, generation: 0 }));
        const [known, expected] = [await dynamo.standings(refs), await memory.standings(refs)];
        expect(known.map(settledView)).toEqual(expected.map(settledView));
      }
    }),
    { numRuns: 100 },
  );
}, 60_000);

/** An applied item answers by itself; the ledger then spares the look at its batch entry. */
function settledView({ item, entry }: Awaited<ReturnType<DynamoLedger["standings"]>>[number]) {
  return { item, entry: item?.state === "applied" ? "not asked" : entry };
}
