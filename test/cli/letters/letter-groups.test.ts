import { describe, expect, it } from "vitest";
import { isExpired } from "../../../cli/letters/letter.ts";
import { groupLetters } from "../../../cli/letters/letter-groups.ts";
import { EXPIRY_TOLERANCE_MS } from "../../../lambdas/core/letters/letter-expiry.ts";
import { DAY, letter, MINUTE, NOW } from "./letters.ts";

describe("groupLetters", () => {
  it("counts letters, keys and partitions of one fault, the largest group first", () => {
    const groups = groupLetters([
      letter({ id: "a", reason: "malformed", partition: 9 }),
      letter({
        id: "b",
        reason: "no item 4",
        key: "p:1",
        partition: 12,
        failedAtMs: NOW - 2 * DAY,
      }),
      letter({ id: "c", reason: "no item 5", key: "p:2", partition: 3, failedAtMs: NOW - MINUTE }),
      letter({ id: "d", reason: "no item 5", key: "p:1", partition: 12, failedAtMs: NOW - DAY }),
    ]);
    expect(groups.map(({ fingerprint, count }) => [fingerprint, count])).toEqual([
      ["no item <n>", 3],
      ["malformed", 1],
    ]);
    expect(groups[0]).toMatchObject({
      example: "no item 4",
      keys: 2,
      someKeys: ["p:1", "p:2"],
      partitions: [3, 12],
      firstSeenMs: NOW - 2 * DAY,
      lastSeenMs: NOW - MINUTE,
      nearestExpiryAtMs: NOW + 12 * DAY,
    });
  });

  it("names a handful of keys and counts the rest", () => {
    const letters = Array.from({ length: 40 }, (_, index) => letter({ key: `p:${index}` }));
    expect(groupLetters(letters)[0]).toMatchObject({ keys: 40, someKeys: { length: 5 } });
  });
});

describe("a letter", () => {
  it("has surely expired when the queue's retention and a tolerance have passed since it failed", () => {
    const end = NOW - 14 * DAY - EXPIRY_TOLERANCE_MS;
    expect(isExpired(letter({ failedAtMs: end }), NOW)).toBe(true);
    expect(isExpired(letter({ failedAtMs: end + 1 }), NOW)).toBe(false);
    expect(isExpired(letter({ failedAtMs: undefined }), NOW)).toBe(false);
  });
});
