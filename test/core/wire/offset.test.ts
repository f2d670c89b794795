import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareOffsets, isOffset, paddedOffset } from "../../../lambdas/core/wire/offset.ts";

const integer = fc.bigInt({ min: 0n, max: 10n ** 39n - 1n });

describe("an offset", () => {
  it("compares as the integer that it spells, however many zeros lead", () => {
    fc.assert(
      fc.property(integer, integer, fc.nat(4), (a, b, zeros) => {
        const left = `${"0".repeat(Math.min(zeros, 39 - String(a).length))}${a}`;
        const expected = Number(a > b) - Number(a < b);
        expect(Math.sign(compareOffsets(left, String(b)))).toBe(expected);
      }),
    );
  });

  it.each([
    ["9007199254740992", "9007199254740993"],
    ["18849496460467696128", "18849496460467696129"],
    ["99999999999999999999", "100000000000000000000"],
    ["9", "10"],
  ])("puts %s before %s, which numbers or text order would not", (smaller, larger) => {
    expect(compareOffsets(smaller, larger)).toBeLessThan(0);
    expect(compareOffsets(larger, smaller)).toBeGreaterThan(0);
    expect([paddedOffset(larger), paddedOffset(smaller)].toSorted()[0]).toBe(paddedOffset(smaller));
  });

  it("sorts last where it is unknown", () => {
    expect([undefined, "2", undefined, "10", "1"].toSorted(compareOffsets)).toEqual([
      "1",
      "2",
      "10",
      undefined,
      undefined,
    ]);
    expect(compareOffsets(undefined, "1")).toBeGreaterThan(0);
    expect(compareOffsets("1", undefined)).toBeLessThan(0);
    expect(compareOffsets(undefined, undefined)).toBe(0);
  });

  it.each([
    { value: "0", offset: true },
    { value: "9".repeat(39), offset: true },
    { value: "9".repeat(40), offset: false },
    { value: "", offset: false },
    { value: "-1", offset: false },
    { value: "1e3", offset: false },
    { value: "1\n", offset: false },
    { value: "١", offset: false },
    { value: 1, offset: false },
    { value: undefined, offset: false },
  ])("is $offset for $value", ({ value, offset }) => {
    expect(isOffset(value)).toBe(offset);
  });
});
