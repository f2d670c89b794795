import { expect, test } from "vitest";
import { standingCost, totalOf } from "../../../infra/cost/standing-cost.ts";
import { synthesize } from "../synthesized.ts";

type Given = Parameters<typeof synthesize>[0];

const costOf = (given: Given = {}) =>
  standingCost(synthesize(given).toJSON() as Parameters<typeof standingCost>[0]);

test("a stack at rest costs less than ten dollars a month, dashboard and all", () => {
  expect(totalOf(costOf())).toBeLessThan(10);
});

test("counts the metrics of each alarm's expression, and each part once", () => {
  const lines = Object.fromEntries(costOf().map(({ what, dollars }) => [what, dollars]));
  expect(lines).toMatchObject({
    "dashboard: 1": 3,
    "9 alarms over 17 metrics": expect.closeTo(1.7),
    "2 composite alarms": 1,
    "6 metrics of the snapshot": expect.closeTo(1.8),
  });
});

test("the dashboard and a key cost what they cost", () => {
  const whole = totalOf(costOf());
  expect(whole - totalOf(costOf({ dashboard: false }))).toBeCloseTo(3);
  expect(totalOf(costOf({ encryptTopics: true })) - whole).toBeCloseTo(1);
});

test("a template with nothing in it costs nothing", () => {
  expect(standingCost({ Resources: {} })).toEqual([]);
});

test.each([
  { why: "a first generation with a key for its topics", given: { encryptTopics: true } },
  {
    why: "a later generation with all that can be chosen",
    given: {
      ...{ generation: 2, encryptTopics: true, allowEdit: true, handlerTables: "guilds,players" },
      pageMail: "a@example.com,b@example.com",
    },
  },
])("the template of $why is below 100 kB even if it is indented", ({ given }) => {
  const template = JSON.stringify(synthesize(given).toJSON(), null, 1);
  expect(Buffer.byteLength(template)).toBeLessThan(100_000);
});
