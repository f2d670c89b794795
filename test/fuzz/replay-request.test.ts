import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  parseReplayRequest,
  ReplayRequestError,
} from "../../lambdas/core/replay/replay-request.ts";
import { objectWith, oddValue } from "./hostile-objects.ts";
import { hostileJson, hostileText } from "./hostile-text.ts";
import { outcomeOf } from "./outcome-of.ts";

// Seconds of work for a machine that is busy with other tests.
vi.setConfig({ testTimeout: 30_000 });

const RUNS = { numRuns: 1000 };

describe("a replay request", () => {
  const bounds = { partitions: 64, replayLimit: 1000, replayRatePerSecond: 50 };
  const filter = objectWith(
    ["partition", "key", "ids", "reason", "group", "failedAfter", "failedBefore"],
    oddValue,
  );
  const request = objectWith(
    [
      "dryRun",
      "filter",
      "limit",
      "ratePerSecond",
      "requestedBy",
      "why",
      "plan",
      "overtaken",
      "ramp",
      "stopAfterFailures",
    ],
    fc.oneof(oddValue, filter),
  );
  const parsed = hostileJson.map((text) => outcomeOf(() => JSON.parse(text) as unknown).value);

  test("is read within its bounds or refused with the broken rules, whatever JSON it is", async () => {
    let read = 0;
    await fc.assert(
      fc.property(fc.oneof(request, parsed, fc.jsonValue()), (event) => {
        const { value, error } = outcomeOf(() => parseReplayRequest(event, bounds));
        if (value === undefined) {
          expect(error).toBeInstanceOf(ReplayRequestError);
          expect((error as Error).message).toMatch(/nothing was touched: Expected .+\.$/s);
          return;
        }
        read += 1;
        expect(value.limit >= 1 && value.limit <= 1000).toBe(true);
        expect(value.ratePerSecond > 0 && value.ratePerSecond <= 50).toBe(true);
        expect(value.filter.partition ?? 0).toBeLessThan(64);
        expect(value.stopAfterFailures ?? 1).toBeGreaterThan(0);
        expect((value.ramp ?? [1]).every((step) => Number.isInteger(step) && step > 0)).toBe(true);
      }),
      RUNS,
    );
    expect(read).toBeGreaterThan(0);
  });

  test("names each of two broken rules", async () => {
    await fc.assert(
      fc.property(fc.integer({ max: 0 }), hostileText, (limit, dryRun) => {
        const { error } = outcomeOf(() => parseReplayRequest({ limit, dryRun }, bounds));
        expect(String(error)).toContain("`limit`");
        expect(String(error)).toContain("`dryRun`");
      }),
    );
  });

  test("nested deeper than a stack is refused like any other", () => {
    const deep = JSON.parse("[".repeat(20_000) + "]".repeat(20_000)) as unknown;
    for (const event of [deep, { why: deep }, { filter: deep }, { filter: { ids: [deep] } }]) {
      expect(outcomeOf(() => parseReplayRequest(event, bounds)).error).toBeInstanceOf(
        ReplayRequestError,
      );
    }
  });
});
