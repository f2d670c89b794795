import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDeadlines, type Deadlines } from "../../../local/sqs/deadlines.ts";

let deadlines: Deadlines;

beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ["Date", "setTimeout", "clearTimeout"] });
  deadlines = createDeadlines(() => Date.now());
});

afterEach(() => {
  deadlines.close();
  vi.useRealTimers();
});

it("runs what is due, in order of time, with one timer for all", () => {
  const ran: number[] = [];
  for (const dueMs of [300, 100, 200]) deadlines.schedule(dueMs, () => ran.push(dueMs));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(250);
  expect(ran).toEqual([100, 200]);
  vi.advanceTimersByTime(50);
  expect(ran).toEqual([100, 200, 300]);
  expect(vi.getTimerCount()).toBe(0);
});

it("runs what is due before its timer fires, once", () => {
  const run = vi.fn();
  deadlines.schedule(100, run);
  vi.setSystemTime(100);
  deadlines.runDue();
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledOnce();
});

it("waits for a deadline beyond the longest timer of Node", () => {
  const run = vi.fn();
  const dueMs = 3_000_000_000;
  deadlines.schedule(dueMs, run);
  vi.advanceTimersByTime(dueMs - 1);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
});

it("runs exactly those that were not cancelled, whatever is scheduled and cancelled", () => {
  const plan = fc.array(fc.record({ dueMs: fc.nat(5000), cancel: fc.boolean() }), {
    size: "max",
    maxLength: 4000,
  });
  fc.assert(
    fc.property(plan, (entries) => {
      const startMs = Date.now();
      const ran = new Set<number>();
      const scheduled = entries.map(({ dueMs }, n) =>
        deadlines.schedule(startMs + dueMs, () => ran.add(n)),
      );
      entries.forEach(({ cancel }, n) => {
        if (cancel) deadlines.cancel(scheduled[n]);
      });
      const kept = entries.flatMap(({ cancel }, n) => (cancel ? [] : [n]));
      expect(deadlines.pending).toBe(kept.length);
      vi.advanceTimersByTime(5000);
      expect([...ran].sort((a, b) => a - b)).toEqual(kept);
      expect(deadlines.pending).toBe(0);
    }),
    { numRuns: 30, seed: 1 },
  );
});
