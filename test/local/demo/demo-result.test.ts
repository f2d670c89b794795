import { expect, it } from "vitest";
import { type DemoResult, shortcomings, verdictOf } from "../../../local/demo/demo-result.ts";

const good: DemoResult = {
  published: 9,
  applied: 9,
  deadLetters: 1,
  replayed: 1,
  skipped: 0,
  failed: 0,
  lost: 0,
  doubled: 0,
  disorder: 0,
  innocents: 0,
  levelBefore: "page",
  levelAfter: "ok",
};

it("has nothing to say where every promise was kept", () => {
  expect(shortcomings(good, true)).toEqual([]);
});

it.each([
  { given: { lost: 1 }, said: "lost is 1, expected 0" },
  { given: { doubled: 2 }, said: "doubled is 2, expected 0" },
  { given: { disorder: 1 }, said: "disorder is 1, expected 0" },
  { given: { innocents: 1 }, said: "innocents is 1, expected 0" },
  { given: { failed: 1 }, said: "failed is 1, expected 0" },
  { given: { applied: 8 }, said: "applied is 8, expected 9" },
  { given: { levelBefore: "ok" }, said: "levelBefore is ok, expected warn or page" },
  { given: { levelAfter: "warn" }, said: "levelAfter is warn, expected ok" },
] as const)("says that $said", ({ given, said }) => {
  expect(shortcomings({ ...good, ...given }, true)).toEqual([said]);
});

it("asks for no alert of events that need not block a partition", () => {
  expect(shortcomings({ ...good, levelBefore: "ok" }, false)).toEqual([]);
});

it("claims nothing of repeats that were not counted, and finds no fault in them", () => {
  const uncounted: DemoResult = { ...good, doubled: null };
  expect(shortcomings(uncounted, true)).toEqual([]);
  expect(verdictOf(uncounted, [])).toMatch(
    /^every promise .*kept.* whether .* twice .*not measured/,
  );
});

it("says what is not as it should be, else that every promise was kept", () => {
  expect(verdictOf(good, [])).toBe("every promise was kept");
  expect(verdictOf(good, ["lost is 1", "failed is 2"])).toBe(
    "not as it should be: lost is 1; failed is 2",
  );
});
