import { describe, expect, it } from "vitest";
import { ReferenceQueue } from "../../../lambdas/core/reference/reference-queue.ts";
import type { ReferenceRecord } from "../../../lambdas/core/reference/reference-record.ts";
import { vectors } from "../vectors.ts";
import { runTrace, type Trace } from "./reference-trace.ts";

const { traces, limits } = vectors<{
  readonly traces: readonly Trace[];
  readonly limits: readonly Trace[];
}>("traces.json");

const NOW_MS = 1_700_000_000_000;

const recordOf = (given: Partial<ReferenceRecord> = {}): ReferenceRecord => ({
  offset: "1",
  key: "a",
  payload: new Uint8Array(10),
  enqueuedAtMs: NOW_MS,
  attempts: 0,
  ...given,
});

/** A queue of one partition that holds records 1 to `count`, and the offsets handed out so far. */
function queueOf(count: number) {
  const queue = new ReferenceQueue(1, () => NOW_MS);
  for (let n = 1; n <= count; n += 1) queue.publish(recordOf({ offset: String(n) }));
  const calls: string[] = [];
  const failingAt =
    (...offsets: string[]) =>
    ({ offset }: ReferenceRecord) => {
      calls.push(offset);
      if (offsets.includes(offset)) throw new Error(`no ${offset}`);
    };
  return { queue, calls, failingAt };
}

describe("the reference queue on the vectors", () => {
  it("holds every trace", () => {
    expect(traces.length).toBeGreaterThan(300);
  });

  it.each(traces)("answers each call of trace $id ($tag) as the reference does", (trace) => {
    const { got, want } = runTrace(trace);
    expect(got).toEqual(want);
  });
});

describe("the reference queue where the reference loses records", () => {
  const limit = (id: string): Trace => {
    const found = limits.find((trace) => trace.id === id);
    if (found === undefined) throw new Error(`the vectors have no limit ${id}`);
    return found;
  };

  it("takes a handler that throws for one failed attempt, and keeps all records", () => {
    const { got, want } = runTrace(limit("l001"));
    expect(want.slice(4, 6)).toEqual([
      { panicked: true, calls: [1, 2] },
      { count: 0, bytes: 0, oldestAgeMs: 0 },
    ]);
    expect(got.slice(4, 6)).toEqual([
      { delivered: 1, dead: 0, calls: [1, 2], callAttempts: [0, 0] },
      { count: 3, bytes: 30, oldestAgeMs: 1 },
    ]);
  });

  it("goes on after a handler that throws at the last attempt", () => {
    const { got } = runTrace(limit("l002"));
    expect(got.slice(4)).toEqual([
      { delivered: 1, dead: 2, calls: [1, 2, 3], callAttempts: [0, 0, 0] },
      { count: 1, bytes: 10, oldestAgeMs: 1 },
      [
        { offset: 1, key: "k0", attempts: 1, reason: "dead first" },
        { offset: 2, key: "k0", attempts: 1, reason: "panic" },
      ],
    ]);
  });

  it("refuses to drain without a handler before it touches a record", () => {
    const { queue } = queueOf(4);
    expect(() => queue.drain(0, 1, undefined)).toThrow("4 records of partition 0, got none");
    expect(queue.backlog(NOW_MS).count).toBe(4);
    expect(queue.drain(5, 1, undefined)).toEqual({ delivered: 0, dead: 0 });
    expect(runTrace(limit("l003")).got.at(-1)).toMatchObject({ count: 4 });
  });

  it("remembers what a replay did before a handler threw, and goes on behind it", () => {
    const { got } = runTrace(limit("l004"));
    expect(got[5]).toMatchObject({ replayed: 2, skipped: 0, calls: [1, 2, 3, 4] });
    expect(got[6]).toEqual([
      { offset: 2, key: "a", attempts: 1, reason: "b2" },
      { offset: 3, key: "a", attempts: 1, reason: "panic" },
    ]);
  });

  it("has no longest age", () => {
    const { got } = runTrace(limit("l005"));
    expect(got.slice(1)).toEqual([
      { count: 1, bytes: 1, oldestAgeMs: 1_700_000_000_000 + 62_135_596_800_000 },
      { count: 1, bytes: 1, oldestAgeMs: 62_135_596_800_000 - 52_912_224_763_146 },
      { count: 1, bytes: 1, oldestAgeMs: 62_135_596_800_000 - 52_912_224_763_145 },
      { count: 1, bytes: 1, oldestAgeMs: 0 },
    ]);
  });

  it("takes a throw of anything for a failure, an `applied` that throws too", () => {
    const { queue } = queueOf(1);
    const throwing = (thrown: unknown) => () => {
      throw thrown;
    };
    expect(queue.drain(0, 1, throwing(undefined))).toEqual({ delivered: 0, dead: 1 });
    expect(queue.deadLetters()[0]).toMatchObject({ reason: "undefined", failedAtMs: NOW_MS });
    const answer = queue.replay({ applied: throwing("ledger is down"), handle: () => {} });
    expect(answer).toEqual({ replayed: 0, skipped: 0, error: undefined });
    expect(queue.deadLetters()[0]?.reason).toBe("ledger is down");
  });

  it("refuses a drain within a drain, as a partition has one consumer, and takes a publish", () => {
    const { queue, calls, failingAt } = queueOf(2);
    const nested = (record: ReferenceRecord) => {
      failingAt()(record);
      if (record.offset === "1") queue.publish(recordOf({ offset: "3" }));
      if (record.offset === "2") queue.drain(0, 3, () => {});
    };
    expect(queue.drain(0, 3, nested)).toEqual({ delivered: 1, dead: 0 });
    expect(queue.drain(0, 3, failingAt())).toEqual({ delivered: 2, dead: 0 });
    expect(calls).toEqual(["1", "2", "2", "3"]);
  });
});

describe("the reference queue", () => {
  it("keeps the letters that it showed as they were", () => {
    const { queue, failingAt } = queueOf(1);
    queue.drain(0, 1, failingAt("1"));
    const shown = queue.deadLetters();
    queue.replay({});
    expect(shown).toHaveLength(1);
    expect(queue.deadLetters()).toEqual([]);
  });

  it("refuses a count of partitions that is none", () => {
    expect(() => new ReferenceQueue(1.5, () => 0)).toThrow(RangeError);
    expect(() => new ReferenceQueue(Number.NaN, () => 0)).toThrow(RangeError);
  });
});
