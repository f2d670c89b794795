import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdOldest } from "../../../lambdas/core/replay/replay-held.ts";
import { readLetter } from "../../../lambdas/core/replay/replay-letter.ts";
import { encodeLetter } from "../../../lambdas/core/wire/wire-metadata.ts";
import { delivery } from "../drain/drain-stage.ts";

const SETTINGS = { partitions: 16, maxReceiveCount: 100 };

function letterOf(offset: number | undefined, body = "x") {
  const mark = encodeLetter({
    partition: 5,
    offset: offset === undefined ? undefined : String(offset),
    generation: 0,
    attempts: 3,
    reason: "no",
    failedAtMs: 1,
    enqueuedAtMs: 1,
  });
  const made = delivery({ id: `id-${offset}`, extra: { deadLetter: mark } });
  return readLetter({ ...made, body }, undefined, SETTINGS);
}

const offsetsOf = (held: ReturnType<typeof holdOldest>) =>
  held.letters().map(({ record }) => record.offset);

describe("letters in hand", () => {
  it("are the oldest of those offered, oldest first, unknown offsets last", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 99 })),
        fc.integer({ min: 1, max: 20 }),
        (offsets, limit) => {
          const held = holdOldest(limit);
          held.offer(letterOf(undefined));
          for (const offset of offsets) held.offer(letterOf(offset));
          const all = [...offsets.toSorted((a, b) => a - b).map(String), undefined];
          expect(offsetsOf(held)).toEqual(all.slice(0, limit));
          expect(held.wasCut()).toBe(offsets.length + 1 > limit);
        },
      ),
    );
  });

  it("stay within their bytes, and none behind one that was let go is held", () => {
    const held = holdOldest(100, 1000);
    held.offer(letterOf(1, "x".repeat(10)));
    held.offer(letterOf(2, "x".repeat(900)));
    expect(held.wasCut()).toBe(true);
    held.offer(letterOf(3, "x"));
    expect(offsetsOf(held)).toEqual(["1"]);
  });

  it("may be none at all, where even the oldest does not fit", () => {
    const held = holdOldest(100, 100);
    held.offer(letterOf(1, "x".repeat(200)));
    expect(held.count()).toBe(0);
    expect(held.wasCut()).toBe(true);
  });
});
