import * as v from "valibot";
import { MetricMathError } from "./metric-math-tokens.ts";
import {
  evaluateQueries,
  type MetricQuery,
  metricQuerySchema,
  type QueryResult,
} from "./metric-queries.ts";
import type { MetricStore } from "./metric-store.ts";
import { readRequest, timeSchema } from "./request.ts";
import { bucketStartMs, gridBetween, type Series, type TimeGrid } from "./time-grid.ts";

const dataSchema = v.pipe(
  v.object({
    StartTime: timeSchema,
    EndTime: timeSchema,
    MetricDataQueries: v.pipe(v.array(metricQuerySchema), v.minLength(1), v.maxLength(500)),
    ScanBy: v.optional(v.picklist(["TimestampAscending", "TimestampDescending"])),
  }),
  v.check(({ StartTime, EndTime }) => StartTime < EndTime, "Expected StartTime before EndTime"),
);

/**
 * Answers GetMetricData in one page. With a divisor, a period holds less real time, so that a range
 * gives more values than on AWS.
 * @throws ServiceError or MetricMathError for a request that CloudWatch would refuse.
 */
export function getMetricData(input: unknown, store: MetricStore): unknown {
  const { MetricDataQueries, StartTime, EndTime, ScanBy } = readRequest(dataSchema, input);
  const resultOf = evaluateQueries(MetricDataQueries, store, (periodMs) =>
    gridBetween(StartTime, EndTime, periodMs),
  );
  const MetricDataResults = MetricDataQueries.filter(({ ReturnData }) => ReturnData).flatMap(
    (query) => {
      const { value, grid } = resultOf(query);
      return seriesIn(query, value).map((series) => ({
        Id: query.Id,
        Label: query.Label ?? query.MetricStat?.Metric.MetricName ?? query.Id,
        StatusCode: "Complete",
        ...columnsOf(series, grid, ScanBy !== "TimestampAscending"),
      }));
    },
  );
  return { MetricDataResults, Messages: [] };
}

function seriesIn({ Id, Expression }: MetricQuery, value: QueryResult["value"]): readonly Series[] {
  if (value.kind === "series") return [value.series];
  if (value.kind === "array") return value.items;
  throw new MetricMathError(
    `Expected \`${Id}\` to give a time series, but \`${Expression}\` is the number ${value.value}`,
  );
}

function columnsOf(
  series: Series,
  grid: TimeGrid,
  newestFirst: boolean,
): { readonly Timestamps: readonly number[]; readonly Values: readonly number[] } {
  const points = series.flatMap((value, index) =>
    value === undefined ? [] : [{ value, at: bucketStartMs(grid, index) / 1000 }],
  );
  if (newestFirst) points.reverse();
  return { Timestamps: points.map(({ at }) => at), Values: points.map(({ value }) => value) };
}
