import { expect, it } from "vitest";
import { EXPIRY_TOLERANCE_MS, isExpired } from "../../../lambdas/core/letters/letter-expiry.ts";

const FAILED = 1_700_000_000_000;
const RETENTION = 1_209_600_000;
const END = FAILED + RETENTION + EXPIRY_TOLERANCE_MS;

it.each([
  { why: "it may live still", sent: undefined, nowMs: END - 1, expired: false },
  { why: "its time and the tolerance are over", sent: undefined, nowMs: END, expired: true },
  { why: "it was sent again later", sent: FAILED + 1, nowMs: END, expired: false },
  { why: "it died again after it was sent", sent: FAILED - 1, nowMs: END, expired: true },
])("a letter is deleted: $expired, where $why", ({ sent, nowMs, expired }) => {
  const times = { failedAtMs: FAILED, letterSentAtMs: sent };
  expect(isExpired(times, { nowMs, letterRetentionMs: RETENTION })).toBe(expired);
});

it("a letter of which no time is known counts as living", () => {
  const times = { failedAtMs: undefined };
  expect(isExpired(times, { nowMs: END, letterRetentionMs: RETENTION })).toBe(false);
});
