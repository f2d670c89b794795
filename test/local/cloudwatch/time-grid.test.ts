import { describe, expect, it } from "vitest";
import {
  gridBefore,
  gridBetween,
  minuteMsOf,
  periodMsOf,
} from "../../../local/cloudwatch/time-grid.ts";

describe("time grid", () => {
  it.each([
    { seconds: 60, divisor: 1, ms: 60_000 },
    { seconds: 300, divisor: 1, ms: 300_000 },
    { seconds: 10, divisor: 1, ms: 10_000 },
    { seconds: 60, divisor: 12, ms: 5000 },
    { seconds: 1, divisor: 3000, ms: 1 },
  ])("makes a period of $seconds s last $ms ms at divisor $divisor", ({ seconds, divisor, ms }) => {
    expect(periodMsOf(seconds, divisor)).toBe(ms);
  });

  it("keeps long periods whole minutes at a divisor that does not divide a minute", () => {
    expect(minuteMsOf(7)).toBe(8571);
    expect(periodMsOf(300, 7)).toBe(5 * 8571);
  });

  it.each([
    { from: 0, to: 60_000, grid: { startMs: 0, count: 1 }, why: "the end is not part of it" },
    { from: 1, to: 60_001, grid: { startMs: 0, count: 2 }, why: "both ends lie within buckets" },
    { from: 60_000, to: 60_000, grid: { startMs: 60_000, count: 0 }, why: "it is empty" },
  ])("from $from to $to has $grid.count buckets: $why", ({ from, to, grid }) => {
    expect(gridBetween(from, to, 60_000)).toEqual({ periodMs: 60_000, ...grid });
  });

  it("keeps the newest buckets of a range that has too many", () => {
    const { startMs, count } = gridBetween(0, 1_800_000_000_000, 60_000);
    expect(count).toBe(100_800);
    expect(startMs).toBe(1_800_000_000_000 - 100_800 * 60_000);
  });

  it("ends where it is told to", () => {
    expect(gridBefore(300_000, 60_000, 3)).toEqual({
      startMs: 120_000,
      periodMs: 60_000,
      count: 3,
    });
  });
});
