import { describe, expect, it } from "vitest";
import { randomArrivals, waitingBacklog } from "../../../cli/capacity/arrivals.ts";
import { keyShares, partitionShares } from "../../../cli/capacity/partition-shares.ts";
import { simulate } from "../../../cli/capacity/simulate.ts";

const service = { handlerMs: 20, batchSize: 10, concurrency: 100, ledgerMs: 5, overheadMs: 15 };

describe("the simulator", () => {
  it("drains one partition serially, in full batches", () => {
    const backlog = Array<number>(95).fill(0);
    const { batches, endMs, concurrencyMax, handled } = simulate(waitingBacklog(backlog), service);
    expect({ batches, concurrencyMax, handled }).toEqual({
      batches: 10,
      concurrencyMax: 1,
      handled: 95,
    });
    expect(endMs).toBe(95 * 20 + 10 * 20);
  });

  it("drains partitions side by side, up to the concurrency", () => {
    const backlog = Array.from({ length: 40 }, (_, record) => record % 4);
    expect(simulate(waitingBacklog(backlog), service).endMs).toBe(220);
    const narrow = { ...service, concurrency: 2 };
    expect(simulate(waitingBacklog(backlog), narrow).endMs).toBe(440);
  });

  it("runs the groups of one batch side by side, and frees them together", () => {
    const backlog = [0, 0, 0, 1];
    const { batches, drains, endMs } = simulate(waitingBacklog(backlog), service);
    expect(batches).toBe(1);
    expect([...drains.values()]).toEqual([1, 1]);
    expect(endMs).toBe(3 * 20 + 20);
  });

  it("gives the same figures for the same seed", () => {
    const run = (seed: number) => simulate(randomArrivals(500, [0.5, 0.5], seed), service, 5000);
    expect(run(1)).toEqual(run(1));
    expect(run(1).handled).not.toBe(run(2).handled);
  });

  it("agrees with the theory of a single server with random arrivals", () => {
    // M/D/1 at utilisation 0.5: a record waits rho / (2 * (1 - rho)) of its service time.
    const single = { handlerMs: 10, batchSize: 1, concurrency: 1, ledgerMs: 0, overheadMs: 0 };
    const { agesMs } = simulate(randomArrivals(50, [1], 3), single, 4_000_000);
    const ages = agesMs.get(0) ?? [];
    const mean = ages.reduce((sum, age) => sum + age, 0) / ages.length;
    expect(mean).toBeGreaterThan(14.5);
    expect(mean).toBeLessThan(15.5);
  });

  it("loses no record and hands each partition's out in order", () => {
    const shares = partitionShares(keyShares({ skew: { kind: "zipf", exponent: 1 }, keys: 50 }), 8);
    const untilMs = 20_000;
    let published = 0;
    function* counted() {
      for (const arrival of randomArrivals(300, shares, 9)) {
        if (arrival.atMs > untilMs) return;
        published += 1;
        yield arrival;
      }
    }
    const { agesMs, handled, left } = simulate(counted(), service);
    expect(left).toBe(0);
    expect(handled).toBe(published);
    expect([...agesMs.values()].flat()).toHaveLength(published);
    expect(Math.min(...[...agesMs.values()].flat())).toBeGreaterThan(0);
  });
});

describe("shares", () => {
  it("are 1 together, over keys and over partitions", () => {
    const keys = keyShares({ skew: { kind: "zipf", exponent: 1.1 }, keys: 1000 });
    const sum = (values: readonly number[]) => values.reduce((left, right) => left + right, 0);
    expect(sum(keys.map(({ share }) => share))).toBeCloseTo(1, 9);
    expect(sum(partitionShares(keys, 64))).toBeCloseTo(1, 9);
    expect(keys[0]?.share).toBeCloseTo((keys[1]?.share ?? 0) * 2 ** 1.1, 9);
  });
});
