import { expect, test } from "vitest";
import { whyNotDrained } from "../../lambdas/core/drained.ts";

test.each([
  { counts: [0, 0], letters: [0, 0], why: "two snapshots in a row found nothing" },
  { counts: [0, 0, 7], letters: [0, 3], why: "what was there before does not count" },
])("is drained when $why", ({ counts, letters }) => {
  expect(whyNotDrained("live", { counts, letters })).toBeUndefined();
});

test.each([
  { counts: [3, 0], letters: [0], says: "got 3 records and 0 dead letters", why: "records wait" },
  { counts: [0, 4], letters: [0], says: "got 4 records", why: "the count may be a minute behind" },
  { counts: [0, 0], letters: [2], says: "and 2 dead letters", why: "a letter may be replayed" },
  { counts: [0], letters: [0], says: "got 1. Nothing was changed", why: "one 0 says too little" },
  { counts: [], letters: [], says: "got 0. Nothing was changed", why: "nobody measures it" },
])("is not drained when $why", ({ counts, letters, says }) => {
  const why = whyNotDrained("live", { counts, letters });
  expect(why).toContain(says);
  expect(why).toContain("drainFirst");
  // CloudFormation's answer has room for 500 characters.
  expect(why?.length).toBeLessThanOrEqual(500);
});
