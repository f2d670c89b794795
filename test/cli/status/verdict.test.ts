import { describe, expect, it } from "vitest";
import { verdictOf } from "../../../cli/status/verdict.ts";
import type { AlertPolicy } from "../../../lambdas/core/alert-policy.ts";
import type { Blocked } from "../../../lambdas/core/backlog.ts";

const POLICY: AlertPolicy = { warnAgeMs: 120_000, pageAgeMs: 600_000, maxCount: 10_000 };

const HEAD: Blocked = {
  partition: 7,
  id: "a",
  key: "player:1",
  attempts: 2,
  generation: 0,
  reason: "no funds",
  failedAtMs: 0,
  ageMs: 842_000,
};

function verdict(
  size: { count?: number; oldestAgeMs?: number; blocked?: readonly Blocked[] },
  policy: Partial<AlertPolicy> = {},
) {
  const backlog = { count: 3, oldestAgeMs: 0, blocked: [], ...size };
  return verdictOf(backlog, { policy: { ...POLICY, ...policy }, partitions: 64 });
}

describe("a verdict", () => {
  it("pages with the age, the place and the line that it crossed", () => {
    expect(verdict({ oldestAgeMs: 842_000, blocked: [HEAD] })).toEqual({
      level: "page",
      cause: "oldest 14m02s, partition 7 of 64, page line 10m",
      oldestPartition: 7,
    });
  });

  it("names no partition where only SQS knows the oldest record", () => {
    expect(verdict({ oldestAgeMs: 900_000, blocked: [HEAD] })).toMatchObject({
      cause: "oldest 15m, page line 10m",
      oldestPartition: undefined,
    });
  });

  it.each([
    {
      given: { oldestAgeMs: 120_000 },
      policy: {},
      level: "warn",
      cause: "oldest 2m, warn line 2m, page line 10m",
      why: "the age reached the warn line",
    },
    {
      given: { count: 10_000 },
      policy: {},
      level: "warn",
      cause: "10,000 records, warn line 10,000",
      why: "the count did",
    },
    {
      given: { count: 10_000, oldestAgeMs: 130_000 },
      policy: { warnAgeMs: 0 },
      level: "warn",
      cause: "10,000 records, warn line 10,000",
      why: "the warn age is off, so only the count can have warned",
    },
    {
      given: { count: 1, oldestAgeMs: 12_000 },
      policy: { pageAgeMs: 0 },
      level: "ok",
      cause: "1 record, oldest 12s, warn line 2m, page line off, count line 10,000",
      why: "below all lines",
    },
    {
      given: { count: 0 },
      policy: {},
      level: "ok",
      cause: "empty, warn line 2m, page line 10m, count line 10,000",
      why: "nothing waits",
    },
  ])("is $level with `$cause`: $why", ({ given, policy, level, cause }) => {
    expect(verdict(given, policy)).toMatchObject({ level, cause });
  });
});
