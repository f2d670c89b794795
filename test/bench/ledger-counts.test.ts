import { afterAll, beforeAll, expect, it } from "vitest";
import { backlogorderConsumer, LEDGER_TABLE } from "../../bench/contenders/backlogorder.ts";
import { batchOf } from "../../bench/contenders/batch.ts";
import { handle } from "../../bench/contenders/no-op-handler.ts";
import { IDEMPOTENCY_TABLE, powertoolsConsumer } from "../../bench/contenders/powertools.ts";
import { type Cost, countLedgerCosts } from "../../bench/ledger/scenarios.ts";
import {
  type CountedDynamoDb,
  startCountedDynamoDb,
} from "../../bench/measure/counted-dynamodb.ts";
import { USE_BY_FILL } from "../../bench/money/contenders.ts";

let costs: readonly Cost[];
let dynamoDb: CountedDynamoDb;

beforeAll(async () => {
  costs = await countLedgerCosts();
  dynamoDb = await startCountedDynamoDb([LEDGER_TABLE, IDEMPOTENCY_TABLE]);
}, 30_000);

afterAll(() => dynamoDb.close());

function costOf(wanted: Pick<Cost, "contender" | "groups" | "scenario">): Cost | undefined {
  return costs.find(
    ({ contender, groups, scenario }) =>
      contender === wanted.contender && groups === wanted.groups && scenario === wanted.scenario,
  );
}

it.each([
  { groups: 1, calls: 1, why: "one batch entry names all ten" },
  { groups: 10, calls: 10, why: "each group has its own entry" },
])("a first receive of $groups groups is $calls write units and no read: $why", (each) => {
  const { groups, calls } = each;
  const cost = costOf({ contender: "backlogorder", groups, scenario: "first receive" });
  expect(cost).toMatchObject({ calls, writeUnits: calls, readUnits: 0, handled: 10, failures: 0 });
});

it("Powertools writes two units a record, whatever the groups", () => {
  for (const groups of [1, 10]) {
    const cost = costOf({ contender: "powertools", groups, scenario: "first receive" });
    expect(cost).toMatchObject({ calls: 20, writeUnits: 20, handled: 10, failures: 0 });
  }
});

it("a batch that was done before is acknowledged without a call or a write", () => {
  for (const groups of [1, 10]) {
    const scenario = "received again, all done";
    const cost = costOf({ contender: "backlogorder", groups, scenario });
    expect(cost).toMatchObject({ writeUnits: 0, handled: 0, failures: 0 });
    expect(cost?.operations["BatchGetItem"]).toBe(1);
  }
});

it("a retry costs two units to count and two to settle, its index entry included", () => {
  const scenario = "what it left, received again";
  const cost = costOf({ contender: "backlogorder", groups: 10, scenario });
  expect(cost).toMatchObject({ writeUnits: 4, handled: 1, failures: 0 });
});

it.each([1, 3, 10])("the table of prices takes what a batch of %d really costs", async (fill) => {
  const event = batchOf({ groups: 1, records: fill, name: `money-${fill}` });
  const { client } = dynamoDb;
  const consumers = {
    backlogorder: backlogorderConsumer({ client, handle }),
    powertools: powertoolsConsumer({ client, handle }),
  };
  for (const payer of ["backlogorder", "powertools"] as const) {
    const { calls, writeUnits } = await dynamoDb.countsOf(() => consumers[payer](event));
    expect({ writeUnits, waits: calls }).toEqual({
      writeUnits: USE_BY_FILL[payer](fill).writeUnits,
      waits: USE_BY_FILL[payer](fill).waits,
    });
  }
});
