import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AlertLevel, type AlertPolicy, evaluate } from "../../../lambdas/core/alert-policy.ts";
import { lasting, levelAfter, type Minute, watchedBacklogs } from "../watched-backlog.ts";

type Row = AlertPolicy & {
  readonly count: number;
  readonly oldestAgeMs: number;
  readonly level: AlertLevel;
};

const { rows }: { readonly rows: readonly Row[] } = JSON.parse(
  readFileSync(new URL("../../vectors/alert.json", import.meta.url), "utf8"),
);

const byPolicy = new Map<string, [Row, ...Row[]]>();
for (const row of rows) {
  const key = policyKey(row);
  const before = byPolicy.get(key);
  if (before === undefined) byPolicy.set(key, [row]);
  else before.push(row);
}
const groups = [...byPolicy.values()];
const watched = watchedBacklogs(groups.map(([policy]) => policy));
const cases = groups.map((group, index) => ({
  group,
  watched: watched[index],
  name: policyKey(group[0]),
}));

/** Ways in which one size reaches CloudWatch. A record that is being tried is deleted in the end. */
const SIGHTS: readonly { readonly by: string; readonly minute: (row: Row) => Minute }[] = [
  {
    by: "SQS's age, all visible",
    minute: ({ count, oldestAgeMs }) => ({ age: oldestAgeMs / 1000, visible: count, deleted: 1 }),
  },
  {
    by: "the retrying age, all in flight",
    minute: ({ count, oldestAgeMs }) => ({
      visible: 0,
      inFlight: count,
      deleted: 1,
      snapshot: { retryingAge: oldestAgeMs / 1000 },
    }),
  },
  {
    by: "both ages, some of each",
    minute: ({ count, oldestAgeMs }) => ({
      age: oldestAgeMs / 1000,
      visible: Math.floor(count / 2),
      inFlight: Math.ceil(count / 2),
      deleted: 1,
      snapshot: { retryingAge: Math.max(0, oldestAgeMs / 1000 - 1) },
    }),
  },
];

test("the vectors hold every policy that they are meant to", () => {
  expect(rows).toHaveLength(847);
  expect(groups).toHaveLength(64);
});

describe.each(SIGHTS)("seen by $by", ({ minute }) => {
  test.each(cases)("the alarms agree with the reference at $name", ({ group, watched: alarms }) => {
    for (const row of group) {
      const level = alarms && levelAfter(alarms, lasting(3, minute(row)));
      expect({ ...row, level }).toEqual(row);
      expect(evaluate(row, row)).toBe(row.level);
    }
  });
});

test("the alarms agree with evaluate on any size", () => {
  const policy = { warnAgeMs: 120_000, pageAgeMs: 600_000, maxCount: 10_000 };
  const [alarms] = watchedBacklogs([policy]);
  const seconds = fc.oneof(fc.nat(1200), fc.constantFrom(119, 120, 121, 599, 600, 601));
  const count = fc.oneof(fc.nat(20_000), fc.constantFrom(9999, 10_000, 10_001));
  fc.assert(
    fc.property(seconds, count, (age, visible) => {
      const minutes = lasting(2, { age, visible, deleted: 1 });
      const level = alarms && levelAfter(alarms, minutes);
      expect(level).toBe(evaluate(policy, { count: visible, oldestAgeMs: age * 1000 }));
    }),
    { numRuns: 200 },
  );
});

function policyKey({ warnAgeMs, pageAgeMs, maxCount }: AlertPolicy): string {
  return `warn ${warnAgeMs} ms, page ${pageAgeMs} ms, count ${maxCount}`;
}
