import { DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { namedInEntries } from "../../../lambdas/aws/ledger/entry-names.ts";
import { entryKey } from "../../../lambdas/aws/ledger/ledger-keys.ts";

const dynamo = mockClient(DynamoDBClient);
const ledger = { client: new DynamoDBClient({}), table: "ledger", nowMs: () => 1000 };

type Entry = {
  readonly offset: number;
  readonly ids: readonly string[];
  readonly expired: boolean;
};

/** Answers a query as DynamoDB does, in pages of at most `pageItems`. */
function holds(entries: readonly Entry[], pageItems: number): void {
  const items = entries
    .map(({ offset, ids, expired }) => ({
      ...entryKey(3, String(offset)),
      ids: { SS: [...ids] },
      expiresAt: { N: expired ? "0" : "99" },
    }))
    .toSorted((left, right) => (left.sk.S < right.sk.S ? 1 : -1));
  dynamo.on(QueryCommand).callsFake((query) => {
    const { ExpressionAttributeValues: values, ExclusiveStartKey: after, Limit = 0 } = query;
    const matching = items.filter(
      ({ sk }) => sk.S <= values[":last"].S && (after === undefined || sk.S < after.sk.S),
    );
    const page = matching.slice(0, Math.min(Limit, pageItems));
    const last = page.at(-1);
    return {
      Items: page,
      ...(matching.length > page.length && { LastEvaluatedKey: { sk: last?.sk } }),
    };
  });
}

function recordAt(offset: number) {
  return {
    id: `r${offset}`,
    key: "player:1",
    partition: 3,
    offset: String(offset),
    enqueuedAtMs: 0,
    generation: 0,
  };
}

beforeEach(() => {
  dynamo.reset();
});

describe("records of one partition", () => {
  it("are named by the last ten entries at or before their offset, whatever lies between", async () => {
    const offsets = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), {
      minLength: 1,
      maxLength: 12,
    });
    const entry = fc.record({
      offset: fc.integer({ min: 1, max: 60 }),
      size: fc.integer({ min: 1, max: 20 }),
      expired: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        offsets,
        fc.uniqueArray(entry, { selector: ({ offset }) => offset, maxLength: 40 }),
        fc.integer({ min: 1, max: 60 }),
        async (asked, given, pageItems) => {
          dynamo.reset();
          const entries = given.map(({ offset, size, expired }) => ({
            offset,
            // Only what expired last stands behind what has not: entries expire in their order.
            expired: expired && given.every((other) => other.expired || other.offset > offset),
            ids: Array.from({ length: size }, (_, n) => `r${offset + n}`),
          }));
          holds(entries, pageItems);
          const records = asked.map(recordAt);
          const named = await namedInEntries(ledger, records);
          for (const record of records) {
            const isNamed = entries
              .filter(({ offset }) => offset <= Number(record.offset))
              .toSorted((left, right) => right.offset - left.offset)
              .slice(0, 10)
              .some((before) => !before.expired && before.ids.includes(record.id));
            expect(named.get(record)).toBe(isNamed ? "named" : "absent");
          }
          const whole = pageItems >= records.length + 9;
          const most = whole ? records.length : records.length * 10;
          expect(dynamo.commandCalls(QueryCommand).length).toBeLessThanOrEqual(most);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("are named behind the entries that a second invocation of their batch left", async () => {
    holds(
      Array.from({ length: 10 }, (_, n) => ({
        offset: n + 1,
        ids: n === 0 ? ["r1", "r10"] : [`r${n + 1}x`],
        expired: false,
      })),
      100,
    );
    const [first, last] = [recordAt(1), recordAt(10)];
    const named = await namedInEntries(ledger, [first, last]);
    expect([named.get(first), named.get(last)]).toEqual(["named", "named"]);
    expect(dynamo.commandCalls(QueryCommand).length).toBe(1);
  });

  it("are looked for on the next page where theirs ends among the entries that could name them", async () => {
    const entries = Array.from({ length: 20 }, (_, n) => n + 1).map((offset) => ({
      offset,
      ids: offset === 3 ? ["r3", "r11"] : [`r${offset}x`],
      expired: false,
    }));
    holds(entries, 100);
    const [older, newer] = [recordAt(11), recordAt(20)];
    const named = await namedInEntries(ledger, [older, newer]);
    expect([named.get(older), named.get(newer)]).toEqual(["named", "absent"]);
    expect(dynamo.commandCalls(QueryCommand).length).toBe(2);
  });

  it("share one read where the entries between them are few", async () => {
    holds([{ offset: 1, ids: ["r1", "r2"], expired: false }], 100);
    const named = await namedInEntries(
      ledger,
      Array.from({ length: 50 }, (_, n) => recordAt(n + 1)),
    );
    expect([...named.values()].filter((entry) => entry === "named").length).toBe(2);
    const reads = dynamo.commandCalls(QueryCommand).map((call) => call.args[0].input);
    expect(reads.map(({ ConsistentRead }) => ConsistentRead)).toEqual([true]);
  });

  it("are not answered where DynamoDB fails", async () => {
    dynamo.on(QueryCommand).rejects(new Error("throttled"));
    await expect(namedInEntries(ledger, [recordAt(1)])).rejects.toThrow("throttled");
  });
});
