import * as v from "valibot";
import { dimensionsSchema, periodSchema, statisticSchema } from "./metric-queries.ts";
import type { MetricStore } from "./metric-store.ts";
import { readRequest, timeSchema } from "./request.ts";
import { bucketStartMs, gridBetween, periodMsOf, type Series } from "./time-grid.ts";

const statisticsSchema = v.pipe(
  v.object({
    StartTime: timeSchema,
    EndTime: timeSchema,
    Namespace: v.string(),
    MetricName: v.string(),
    Dimensions: v.optional(dimensionsSchema, []),
    Period: periodSchema,
    Statistics: v.optional(v.array(statisticSchema), []),
    ExtendedStatistics: v.optional(v.array(statisticSchema), []),
    Unit: v.optional(v.string()),
  }),
  v.check(({ StartTime, EndTime }) => StartTime < EndTime, "Expected StartTime before EndTime"),
  v.check(
    ({ Statistics, ExtendedStatistics }) => Statistics.length + ExtendedStatistics.length > 0,
    "Expected Statistics or ExtendedStatistics",
  ),
);

/** Answers GetMetricStatistics, oldest datapoint first.
 *  @throws ServiceError for a request that CloudWatch would refuse. */
export function getMetricStatistics(input: unknown, store: MetricStore): unknown {
  const request = readRequest(statisticsSchema, input);
  const { Namespace, MetricName, Dimensions, Period, Unit } = request;
  const identity = { namespace: Namespace, metricName: MetricName, dimensions: Dimensions };
  const periodMs = periodMsOf(Period, store.divisor);
  const grid = gridBetween(request.StartTime, request.EndTime, periodMs);
  const seriesOf = (statistic: string): readonly [string, Series] => [
    statistic,
    store.series({ ...identity, statistic, unit: Unit }, grid),
  ];
  const plain = request.Statistics.map(seriesOf);
  const extended = request.ExtendedStatistics.map(seriesOf);
  const [, samples] = seriesOf("SampleCount");
  const Datapoints = samples.flatMap((count, index) => {
    if (count === undefined) return [];
    const at = (all: typeof plain): Record<string, number | undefined> =>
      Object.fromEntries(all.map(([statistic, series]) => [statistic, series[index]]));
    const ExtendedStatistics = extended.length === 0 ? {} : { ExtendedStatistics: at(extended) };
    return [
      { Timestamp: bucketStartMs(grid, index) / 1000, ...at(plain), ...ExtendedStatistics, Unit },
    ];
  });
  return { Label: MetricName, Datapoints };
}
