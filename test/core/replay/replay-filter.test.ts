import { describe, expect, it } from "vitest";
import { matchesFilter } from "../../../lambdas/core/replay/replay-filter.ts";

const LETTER = { id: "a", key: "player:1", partition: 3, reason: "out of stock", failedAtMs: 1000 };

describe("a filter", () => {
  it.each([
    { filter: {}, matches: true, why: "it asks for nothing" },
    { filter: { partition: 3 }, matches: true, why: "the partition is its own" },
    { filter: { partition: 4 }, matches: false, why: "the partition is another" },
    { filter: { key: "player:1" }, matches: true, why: "the key is its own" },
    { filter: { key: "player:" }, matches: false, why: "a key is never matched in part" },
    { filter: { key: "" }, matches: false, why: "the empty key is a key" },
    { filter: { ids: ["b", "a"] }, matches: true, why: "the id is among them" },
    { filter: { ids: ["b"] }, matches: false, why: "the id is not among them" },
    { filter: { reason: "of sto" }, matches: true, why: "the reason contains it" },
    { filter: { reason: "Out" }, matches: false, why: "letter case counts" },
    { filter: { failedAfterMs: 1000 }, matches: true, why: "`after` includes its moment" },
    { filter: { failedAfterMs: 1001 }, matches: false, why: "it failed before that" },
    { filter: { failedBeforeMs: 1000 }, matches: false, why: "`before` leaves its moment out" },
    { filter: { failedBeforeMs: 1001 }, matches: true, why: "it failed before that" },
    { filter: { partition: 3, key: "x" }, matches: false, why: "every condition must hold" },
  ])("of $filter gives $matches: $why", ({ filter, matches }) => {
    expect(matchesFilter(filter, LETTER)).toBe(matches);
  });

  it("takes no letter of unknown time where a time is asked for", () => {
    const unknown = { ...LETTER, failedAtMs: undefined };
    expect(matchesFilter({ failedBeforeMs: 2000 }, unknown)).toBe(false);
    expect(matchesFilter({ key: "player:1" }, unknown)).toBe(true);
  });
});
