import {
  mergeStatistics,
  type StatisticSet,
  statisticOf,
  statisticsOfValue,
} from "./statistic-set.ts";
import { minuteMsOf, periodMsOf, type Series, type TimeGrid } from "./time-grid.ts";

export type MetricIdentity = {
  readonly namespace: string;
  readonly metricName: string;
  /** Values by dimension name. A metric with other dimensions is another metric. */
  readonly dimensions: Readonly<Record<string, string>>;
};

export type MetricDatum = MetricIdentity & {
  /** Epoch milliseconds. */
  readonly timestampMs: number;
  /** One value, or what is known of several. */
  readonly value: number | StatisticSet;
  /** CloudWatch's name of the unit, such as `Seconds`; `None` where left out. */
  readonly unit?: string;
  /** `second` keeps single seconds too, for three hours. */
  readonly resolution?: "minute" | "second";
};

export type StatisticQuery = MetricIdentity & {
  /** Such as `Sum` or `p99`; see `STATISTIC_PATTERN`. */
  readonly statistic: string;
  /** Only data reported with this unit; any where left out. */
  readonly unit?: string | undefined;
};

/** Metrics in memory, without a clock: time comes in with the data and with each question. */
export type MetricStore = {
  /** How much faster than on AWS periods run: 1 and up. */
  readonly divisor: number;
  /** How far back `prune` keeps data, in real milliseconds. */
  readonly retentionMs: number;
  record(datum: MetricDatum): void;
  /** The statistic of each bucket of the grid. */
  series(query: StatisticQuery, grid: TimeGrid): Series;
  /** Every metric that has data. */
  list(): readonly MetricIdentity[];
  /** Drops data older than `retentionMs`, and data from the future, which would never grow old. */
  prune(nowMs: number): void;
};

/** Like AWS: a minute of a metric is one set, whenever in the minute its values came. */
type Slots = Map<number, StatisticSet>;
type Stream = { readonly minutes: Slots; readonly seconds: Slots };
type Metric = { readonly identity: MetricIdentity; readonly streamByUnit: Map<string, Stream> };

const RETENTION_SECONDS = 25 * 3600;
const FINE_RETENTION_SECONDS = 3 * 3600;
const FUTURE_SECONDS = 2 * 3600;

export function createMetricStore({
  divisor = 1,
}: {
  readonly divisor?: number;
} = {}): MetricStore {
  const metrics = new Map<string, Metric>();
  const minuteMs = minuteMsOf(divisor);
  const secondMs = periodMsOf(1, divisor);
  const retentionMs = periodMsOf(RETENTION_SECONDS, divisor);
  return {
    divisor,
    retentionMs,
    record({ timestampMs, value, unit = "None", resolution = "minute", ...identity }): void {
      const set = typeof value === "number" ? statisticsOfValue(value) : value;
      const { minutes, seconds } = streamOf(metrics, identity, unit);
      addTo(minutes, Math.floor(timestampMs / minuteMs) * minuteMs, set);
      if (resolution === "second") {
        addTo(seconds, Math.floor(timestampMs / secondMs) * secondMs, set);
      }
    },
    series({ statistic, unit, ...identity }, grid): Series {
      const streams = streamsOf(metrics.get(keyOf(identity)), unit);
      const fine = grid.periodMs < minuteMs;
      const slots = streams.map(({ minutes, seconds }) =>
        fine && seconds.size > 0 ? seconds : minutes,
      );
      return bucketsOf(slots, grid).map((sets) => statisticOf(mergeStatistics(sets), statistic));
    },
    list: () => [...metrics.values()].map(({ identity }) => identity),
    prune(nowMs): void {
      const toMs = nowMs + FUTURE_SECONDS * 1000;
      for (const [key, { streamByUnit }] of metrics) {
        for (const [unit, { minutes, seconds }] of streamByUnit) {
          keepBetween(minutes, nowMs - retentionMs, toMs);
          keepBetween(seconds, nowMs - periodMsOf(FINE_RETENTION_SECONDS, divisor), toMs);
          if (minutes.size === 0) streamByUnit.delete(unit);
        }
        if (streamByUnit.size === 0) metrics.delete(key);
      }
    },
  };
}

function keyOf({ namespace, metricName, dimensions }: MetricIdentity): string {
  const sorted = Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([namespace, metricName, sorted]);
}

function streamOf(metrics: Map<string, Metric>, identity: MetricIdentity, unit: string): Stream {
  const key = keyOf(identity);
  const metric = metrics.get(key) ?? { identity, streamByUnit: new Map<string, Stream>() };
  metrics.set(key, metric);
  const stream = metric.streamByUnit.get(unit) ?? { minutes: new Map(), seconds: new Map() };
  metric.streamByUnit.set(unit, stream);
  return stream;
}

function streamsOf(metric: Metric | undefined, unit: string | undefined): readonly Stream[] {
  if (metric === undefined) return [];
  if (unit === undefined) return [...metric.streamByUnit.values()];
  const stream = metric.streamByUnit.get(unit);
  return stream === undefined ? [] : [stream];
}

function addTo(slots: Slots, startMs: number, set: StatisticSet): void {
  const before = slots.get(startMs);
  const merged = before === undefined ? set : mergeStatistics([before, set]);
  if (merged !== undefined) slots.set(startMs, merged);
}

function bucketsOf(
  slotsOfStreams: readonly Slots[],
  { startMs, periodMs, count }: TimeGrid,
): readonly (readonly StatisticSet[])[] {
  const buckets: StatisticSet[][] = Array.from({ length: count }, () => []);
  for (const slots of slotsOfStreams) {
    for (const [slotMs, set] of slots)
      buckets[Math.floor((slotMs - startMs) / periodMs)]?.push(set);
  }
  return buckets;
}

function keepBetween(slots: Slots, fromMs: number, toMs: number): void {
  for (const startMs of slots.keys()) {
    if (startMs < fromMs || startMs > toMs) slots.delete(startMs);
  }
}
