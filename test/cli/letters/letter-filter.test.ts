import { describe, expect, it } from "vitest";
import {
  describeFilter,
  type LetterFilterOptions,
  readLetterFilter,
  selectLetters,
} from "../../../cli/letters/letter-filter.ts";
import { DAY, letter, MINUTE, NOW } from "./letters.ts";

const LETTERS = [
  letter({ id: "new", failedAtMs: NOW - MINUTE, partition: 2, reason: "no item 4" }),
  letter({ id: "old", failedAtMs: NOW - 2 * DAY, key: "guild:7" }),
  letter({ id: "mid", failedAtMs: NOW - DAY, reason: "no item 5" }),
];

function read(options: LetterFilterOptions) {
  return readLetterFilter(options, { nowMs: NOW, partitions: 64 });
}

function taken(options: LetterFilterOptions) {
  return selectLetters(read(options), LETTERS).taken.map(({ id }) => id);
}

describe("a letter filter", () => {
  it.each<{ options: LetterFilterOptions; ids: string[]; why: string }>([
    { options: {}, ids: ["old", "mid", "new"], why: "none given takes all, oldest failure first" },
    { options: { partition: 2 }, ids: ["new"], why: "by partition" },
    { options: { key: "guild:7" }, ids: ["old"], why: "by the whole key" },
    { options: { key: "guild" }, ids: [], why: "not by a part of the key" },
    { options: { reason: "item" }, ids: ["mid", "new"], why: "by a part of the reason" },
    { options: { since: "1d" }, ids: ["mid", "new"], why: "since includes its moment" },
    { options: { until: "1d" }, ids: ["old"], why: "until does not" },
    {
      options: { group: letter({ reason: "no item 9" }).group },
      ids: ["mid", "new"],
      why: "by group",
    },
    { options: { limit: 2 }, ids: ["old", "mid"], why: "the limit keeps the oldest failures" },
  ])("takes $ids for $options: $why", ({ options, ids }) => {
    expect(taken(options)).toEqual(ids);
  });

  it("says how many match beyond the limit", () => {
    expect(selectLetters(read({ limit: 1 }), LETTERS)).toMatchObject({ matched: 3 });
  });

  it("keeps letters of one failure time in their own order, as `letters discard` does", () => {
    const letters = ["10", "9"].map((offset) => letter({ id: `at${offset}`, offset }));
    expect(selectLetters(read({ limit: 1 }), letters).taken).toMatchObject([{ id: "at9" }]);
  });

  it("is told as options whose relative times are frozen", () => {
    expect(describeFilter(read({ partition: 2, reason: "no item", since: "2h", limit: 5 }))).toBe(
      "--partition 2 --reason 'no item' --since 2026-01-31T01:00:00Z --limit 5",
    );
    expect(describeFilter(read({}))).toBe("");
  });

  it("refuses a partition that does not exist and a time span without room", () => {
    expect(() => read({ partition: 64 })).toThrow(/from 0 to 63, got `64`/);
    expect(() => read({ since: "1h", until: "2h" })).toThrow(/`--since` before `--until`/);
  });
});
