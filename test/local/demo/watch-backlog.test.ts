import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Backlog } from "../../../lambdas/core/backlog.ts";
import type { LedgerItem } from "../../../lambdas/core/ledger.ts";
import { settingsOf } from "../../../lambdas/core/settings.ts";
import { watchUntilDrained } from "../../../local/demo/watch-backlog.ts";

beforeEach(() => {
  ended.mockClear();
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const EMPTY: Backlog = {
  count: 0,
  bytes: 0,
  bytesIsEstimate: true,
  oldestAgeMs: 0,
  oldestRetryingAgeMs: 0,
  letters: 0,
  discarded: 0,
  nearestExpiryMs: undefined,
  blocked: [],
};

const ended = vi.fn();

const HEAD: Backlog["blocked"][number] = {
  ...{ partition: 5, id: "e1", key: "a", attempts: 1, generation: 0, reason: "no luck" },
  ...{ failedAtMs: 0, ageMs: 0 },
};

/** Watches a backlog that looks like this, one look after another; the last look stays. */
function watch(looks: readonly Partial<Backlog>[], limitSeconds = 60) {
  const left = [...looks];
  const backlog = async () => ({ ...EMPTY, ...(left.length > 1 ? left.shift() : left[0]) });
  const settings = settingsOf({ warnAgeSeconds: 3, pageAgeSeconds: 6 });
  const letters = async () => [{ id: "dead" } as LedgerItem];
  const watching = watchUntilDrained(
    { settings, backlog, letters },
    {
      total: 10,
      limitSeconds,
      progress: { set: () => undefined, end: ended },
      signal: new AbortController().signal,
    },
  );
  return watching;
}

async function drained(looks: readonly Partial<Backlog>[]) {
  const watching = watch(looks);
  await vi.runAllTimersAsync();
  return watching;
}

it("keeps the worst level of the looks in which a partition was blocked", async () => {
  const { worstLevel, letters } = await drained([
    { count: 9, oldestAgeMs: 4000, blocked: [HEAD] },
    { count: 5, oldestAgeMs: 7000, blocked: [HEAD] },
    { count: 2, oldestAgeMs: 5000, blocked: [HEAD] },
    EMPTY,
  ]);
  expect(worstLevel).toBe("page");
  expect([...letters]).toEqual(["dead"]);
});

it("takes no alert that comes of load alone for one of a blocked partition", async () => {
  const { worstLevel } = await drained([{ count: 9, oldestAgeMs: 7000 }, EMPTY]);
  expect(worstLevel).toBe("ok");
});

it("gives up at its limit and says how many wait", async () => {
  const watching = watch([{ count: 3 }], 10);
  const outcome = expect(watching).rejects.toThrow("within 10 s, but 3 records still wait");
  await vi.advanceTimersByTimeAsync(11_000);
  await outcome;
  // A bar that is not ended keeps the process alive.
  expect(ended).toHaveBeenCalledOnce();
});
