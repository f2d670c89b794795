import * as v from "valibot";
import { dimensionsSchema } from "./metric-queries.ts";
import type { MetricStore } from "./metric-store.ts";
import { invalidParameter, readRequest, timeSchema } from "./request.ts";
import { type StatisticSet, statisticsOfValues } from "./statistic-set.ts";

/** CloudWatch's limits: data of a request, values of a datum, and how far from now one may lie. */
const DATA_MAX = 1000;
const VALUES_MAX = 150;
const PAST_MS = 14 * 24 * 3_600_000;
const FUTURE_MS = 2 * 3_600_000;

const datumSchema = v.object({
  MetricName: v.pipe(v.string(), v.minLength(1)),
  Dimensions: v.optional(dimensionsSchema, []),
  Timestamp: v.optional(timeSchema),
  Value: v.optional(v.number()),
  Values: v.optional(v.pipe(v.array(v.number()), v.minLength(1), v.maxLength(VALUES_MAX))),
  Counts: v.optional(v.array(v.number())),
  StatisticValues: v.optional(
    v.object({
      SampleCount: v.number(),
      Sum: v.number(),
      Minimum: v.number(),
      Maximum: v.number(),
    }),
  ),
  Unit: v.optional(v.string(), "None"),
  StorageResolution: v.optional(v.picklist([1, 60]), 60),
});

const requestSchema = v.object({
  Namespace: v.pipe(v.string(), v.minLength(1)),
  MetricData: v.pipe(v.array(datumSchema), v.minLength(1), v.maxLength(DATA_MAX)),
});

type Datum = v.InferOutput<typeof datumSchema>;

/** Records what a PutMetricData request holds, or nothing of it.
 *  @throws ServiceError for a request that CloudWatch would refuse. */
export function putMetricData(input: unknown, store: MetricStore, nowMs: number): void {
  const { Namespace, MetricData } = readRequest(requestSchema, input);
  const data = MetricData.map((datum) => ({
    namespace: Namespace,
    metricName: datum.MetricName,
    dimensions: datum.Dimensions,
    timestampMs: timestampOf(datum, nowMs),
    value: valueOfDatum(datum),
    unit: datum.Unit,
    resolution: datum.StorageResolution === 1 ? ("second" as const) : ("minute" as const),
  }));
  for (const datum of data) store.record(datum);
}

function timestampOf({ MetricName, Timestamp = Number.NaN }: Datum, nowMs: number): number {
  if (Number.isNaN(Timestamp)) return nowMs;
  if (Timestamp >= nowMs - PAST_MS && Timestamp <= nowMs + FUTURE_MS) return Timestamp;
  throw invalidParameter(
    `Expected the Timestamp of ${MetricName} to lie between two weeks ago and in two hours, ` +
      `got ${Timestamp / 1000}`,
  );
}

function valueOfDatum({ MetricName, Value, Values, Counts, StatisticValues }: Datum): StatisticSet {
  const given = [Value, Values, StatisticValues].filter((each) => each !== undefined);
  if (given.length !== 1) {
    throw invalidParameter(
      `Expected one of Value, Values and StatisticValues for ${MetricName}, got ${given.length}`,
    );
  }
  if (StatisticValues !== undefined) {
    const { SampleCount: count, Sum: sum, Minimum: minimum, Maximum: maximum } = StatisticValues;
    return { count, sum, minimum, maximum, distribution: undefined };
  }
  const values = Values ?? (Value === undefined ? [] : [Value]);
  if (Counts !== undefined && Counts.length !== values.length) {
    throw invalidParameter(
      `Expected as many Counts as Values for ${MetricName}, got ${Counts.length} and ${values.length}`,
    );
  }
  return statisticsOfValues(values, Counts);
}
