import { expect, it } from "vitest";
import { interleave, median, ratio } from "../../bench/measure/rounds.ts";
import { itemBytes, writeUnits } from "../../bench/measure/write-units.ts";

it("the contenders take turns, the first one last in every second round, and a warm-up is not kept", async () => {
  const order: string[] = [];
  const measure = (name: string) => async () => order.push(name);
  const samples = await interleave({ a: measure("a"), b: measure("b") }, 2);
  expect(order.join("")).toHaveLength(6);
  expect(new Set([order.slice(0, 2).join(""), order.slice(2, 4).join("")]).size).toBe(2);
  expect(samples.a).toHaveLength(2);
  expect(samples.b).toHaveLength(2);
});

it("a ratio is the median of the rounds' ratios, so that a slow round counts once for both", () => {
  expect(ratio([2, 40, 2], [1, 20, 1])).toBe(2);
  expect(median([3, 1, 2])).toBe(2);
});

const index = { partitionKey: "open", sortKey: "place" };

it.each([
  { why: "a small item", before: undefined, after: { id: { S: "x" } }, units: 1 },
  { why: "a refused condition", before: undefined, after: undefined, units: 1 },
  { why: "1 KB begun twice", before: undefined, after: { id: { S: "x".repeat(1500) } }, units: 2 },
  {
    why: "the larger of both",
    before: { id: { S: "x".repeat(2500) } },
    after: { id: { S: "x" } },
    units: 3,
  },
  {
    why: "into the index",
    before: undefined,
    after: { open: { S: "1" }, place: { S: "1" } },
    units: 2,
  },
  {
    why: "out of the index",
    before: { open: { S: "1" }, place: { S: "1" } },
    after: { id: { S: "x" } },
    units: 2,
  },
  {
    why: "to another place of the index",
    before: { open: { S: "1" }, place: { S: "1" } },
    after: { open: { S: "1" }, place: { S: "2" } },
    units: 3,
  },
])("counts $units write units: $why", ({ before, after, units }) => {
  expect(writeUnits(before, after, [index])).toBe(units);
});

it("weighs names, text in UTF-8, numbers by two digits a byte, and sets", () => {
  expect(itemBytes({ id: { S: "é" }, n: { N: "12345" }, ids: { SS: ["ab", "c"] } })).toBe(
    2 + 2 + 1 + 4 + 3 + 3,
  );
});
