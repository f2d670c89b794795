import { describe, expect, it } from "vitest";
import { createMetricStore, type MetricDatum } from "../../../local/cloudwatch/metric-store.ts";
import { statisticsOfValues } from "../../../local/cloudwatch/statistic-set.ts";

const MINUTE_MS = 60_000;
const START_MS = 1_800_000_000_000;

function datumOf(fields: Partial<MetricDatum>): MetricDatum {
  const identity = { namespace: "Game", metricName: "Age", dimensions: { Backlog: "wallet" } };
  return { ...identity, timestampMs: START_MS, value: 1, ...fields };
}

function queryOf(statistic: string, fields: Partial<MetricDatum> = {}) {
  const { namespace, metricName, dimensions, unit } = datumOf(fields);
  return { namespace, metricName, dimensions, unit, statistic };
}

const twoMinutes = { startMs: START_MS, periodMs: MINUTE_MS, count: 2 };

describe("metric store", () => {
  it.each([
    { statistic: "Sum", value: 10 },
    { statistic: "Average", value: 2.5 },
    { statistic: "Minimum", value: 1 },
    { statistic: "Maximum", value: 4 },
    { statistic: "SampleCount", value: 4 },
    { statistic: "p50", value: 2 },
    { statistic: "p99.9", value: 4 },
  ])(
    "gives $statistic = $value of 1, 2, 3, 4 in one bucket and nothing for an empty one",
    (row) => {
      const store = createMetricStore();
      for (const value of [4, 1, 3])
        store.record(datumOf({ value, timestampMs: START_MS + value }));
      store.record(datumOf({ value: 2, timestampMs: START_MS + MINUTE_MS - 1 }));
      expect(store.series(queryOf(row.statistic), twoMinutes)).toEqual([row.value, undefined]);
    },
  );

  it("takes metrics with other dimensions for other metrics, whatever the dimensions' order", () => {
    const store = createMetricStore();
    store.record(datumOf({ dimensions: { A: "1", B: "2" }, value: 5 }));
    store.record(datumOf({ dimensions: { A: "1" }, value: 7 }));
    const grid = { ...twoMinutes, count: 1 };
    expect(store.series(queryOf("Sum", { dimensions: { B: "2", A: "1" } }), grid)).toEqual([5]);
    expect(store.series(queryOf("Sum", { dimensions: { A: "1" } }), grid)).toEqual([7]);
    expect(store.series(queryOf("Sum", { dimensions: {} }), grid)).toEqual([undefined]);
  });

  it("keeps units apart when a unit is asked for, and together when none is", () => {
    const store = createMetricStore();
    store.record(datumOf({ unit: "Seconds", value: 5 }));
    store.record(datumOf({ value: 7 }));
    const grid = { ...twoMinutes, count: 1 };
    expect(store.series(queryOf("Sum", { unit: "Seconds" }), grid)).toEqual([5]);
    expect(store.series(queryOf("Sum", { unit: "Bytes" }), grid)).toEqual([undefined]);
    expect(store.series(queryOf("Sum"), grid)).toEqual([12]);
  });

  it("tells percentiles of values with counts, and none of mere aggregates", () => {
    const store = createMetricStore();
    store.record(datumOf({ value: statisticsOfValues([10, 20], [98, 2]) }));
    const grid = { ...twoMinutes, count: 1 };
    expect(store.series(queryOf("p98"), grid)).toEqual([10]);
    expect(store.series(queryOf("p99"), grid)).toEqual([20]);
    const aggregates = { sum: 9, count: 2, minimum: 4, maximum: 5, distribution: undefined };
    store.record(datumOf({ value: aggregates }));
    expect(store.series(queryOf("p98"), grid)).toEqual([undefined]);
    expect(store.series(queryOf("Maximum"), grid)).toEqual([20]);
  });

  it("keeps percentiles within 5 % once there are too many values to keep each", () => {
    const store = createMetricStore();
    for (let value = 1; value <= 5000; value += 1) store.record(datumOf({ value }));
    const [median = 0] = store.series(queryOf("p50"), { ...twoMinutes, count: 1 });
    expect(median).toBeGreaterThan(2500 * 0.95);
    expect(median).toBeLessThan(2500 * 1.05);
    expect(store.series(queryOf("SampleCount"), { ...twoMinutes, count: 1 })).toEqual([5000]);
  });

  it("tells single seconds apart only for metrics of that resolution", () => {
    const store = createMetricStore();
    for (const resolution of ["second", "minute"] as const) {
      store.record(datumOf({ metricName: resolution, resolution, timestampMs: START_MS + 1000 }));
    }
    const grid = { startMs: START_MS, periodMs: 1000, count: 2 };
    expect(store.series(queryOf("Sum", { metricName: "second" }), grid)).toEqual([undefined, 1]);
    expect(store.series(queryOf("Sum", { metricName: "minute" }), grid)).toEqual([1, undefined]);
  });

  it("drops what is older than a day and what lies in the future, so that it does not grow", () => {
    const store = createMetricStore();
    for (let minute = 0; minute < 3 * 1440; minute += 1) {
      store.record(datumOf({ timestampMs: START_MS + minute * MINUTE_MS }));
    }
    store.record(datumOf({ metricName: "Future", timestampMs: START_MS * 2 }));
    const nowMs = START_MS + 3 * 1440 * MINUTE_MS;
    store.prune(nowMs);
    const grid = { startMs: START_MS, periodMs: MINUTE_MS, count: 3 * 1440 };
    const kept = store.series(queryOf("Sum"), grid).filter((value) => value !== undefined);
    expect(kept).toHaveLength(25 * 60);
    expect(store.list().map(({ metricName }) => metricName)).toEqual(["Age"]);
    store.prune(nowMs * 2);
    expect(store.list()).toEqual([]);
  });

  it("shortens its minutes and its memory by the divisor", () => {
    const store = createMetricStore({ divisor: 12 });
    store.record(datumOf({ timestampMs: START_MS + 4999 }));
    store.record(datumOf({ timestampMs: START_MS + 5000 }));
    const grid = { startMs: START_MS, periodMs: 5000, count: 2 };
    expect(store.series(queryOf("Sum"), grid)).toEqual([1, 1]);
    expect(store.retentionMs).toBe((25 * 3_600_000) / 12);
  });
});
