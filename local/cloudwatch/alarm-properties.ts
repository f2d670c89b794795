import * as v from "valibot";
import {
  dimensionsSchema,
  type MetricQuery,
  metricQuerySchema,
  periodSchema,
  statisticSchema,
} from "./metric-queries.ts";

/** Alarm properties that CloudWatch would refuse, or that are not supported here. */
export class AlarmPropertiesError extends Error {
  constructor(alarm: string, problem: string) {
    super(`Alarm \`${alarm}\`: ${problem}`);
    this.name = "AlarmPropertiesError";
  }
}

const actionsSchema = v.optional(v.array(v.string()), []);
const countSchema = v.pipe(v.number(), v.integer(), v.minValue(1));
const unsupported = v.optional(v.undefined("is not supported here"));

const commonEntries = {
  AlarmName: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  AlarmDescription: v.optional(v.string()),
  ActionsEnabled: v.optional(v.boolean(), true),
  AlarmActions: actionsSchema,
  OKActions: actionsSchema,
  InsufficientDataActions: actionsSchema,
};

const metricAlarmSchema = v.pipe(
  v.object({
    ...commonEntries,
    ComparisonOperator: v.picklist([
      "GreaterThanOrEqualToThreshold",
      "GreaterThanThreshold",
      "LessThanOrEqualToThreshold",
      "LessThanThreshold",
    ]),
    Threshold: v.number(),
    EvaluationPeriods: countSchema,
    DatapointsToAlarm: v.optional(countSchema),
    TreatMissingData: v.optional(v.picklist(["missing", "ignore", "breaching", "notBreaching"])),
    Namespace: v.optional(v.string()),
    MetricName: v.optional(v.string()),
    Dimensions: v.optional(dimensionsSchema, []),
    Period: v.optional(periodSchema),
    Statistic: v.optional(statisticSchema),
    ExtendedStatistic: v.optional(statisticSchema),
    Unit: v.optional(v.string()),
    Metrics: v.optional(v.array(metricQuerySchema)),
    ThresholdMetricId: unsupported,
    EvaluationWindow: unsupported,
    EvaluationCriteria: unsupported,
    EvaluateLowSampleCountPercentile: v.optional(
      v.picklist(["evaluate", ""], "is only supported as `evaluate` here"),
    ),
  }),
  v.check(
    ({ DatapointsToAlarm: m = 1, EvaluationPeriods: n }) => m <= n,
    "Expected DatapointsToAlarm to be at most EvaluationPeriods",
  ),
  v.transform(({ MetricName, Metrics, ...alarm }) => ({
    ...alarm,
    MetricName,
    Metrics: Metrics ?? [],
    queries: Metrics ?? [singleQuery(MetricName, alarm)],
  })),
  v.check(
    ({ queries }) => queries.filter(({ ReturnData }) => ReturnData).length === 1,
    "Expected exactly one of Metrics to have ReturnData true",
  ),
);

const compositeAlarmSchema = v.object({
  ...commonEntries,
  AlarmRule: v.pipe(v.string(), v.minLength(1), v.maxLength(10_240)),
  ActionsSuppressor: v.optional(v.string()),
  ActionsSuppressorWaitPeriod: v.optional(v.number()),
  ActionsSuppressorExtensionPeriod: v.optional(v.number()),
});

/** A metric alarm; `queries` is what it watches, a single metric as one query. */
export type MetricAlarm = v.InferOutput<typeof metricAlarmSchema>;
export type CompositeAlarm = v.InferOutput<typeof compositeAlarmSchema>;

/**
 * Reads the properties of AWS::CloudWatch::Alarm, or a PutMetricAlarm request, which is alike.
 * @throws AlarmPropertiesError that names the alarm and the property.
 */
export function parseMetricAlarm(properties: unknown): MetricAlarm {
  return parse(metricAlarmSchema, properties);
}

/**
 * Reads the properties of AWS::CloudWatch::CompositeAlarm, or a PutCompositeAlarm request.
 * @throws AlarmPropertiesError that names the alarm and the property.
 */
export function parseCompositeAlarm(properties: unknown): CompositeAlarm {
  return parse(compositeAlarmSchema, properties);
}

function parse<T>(schema: v.GenericSchema<unknown, T>, properties: unknown): T {
  const result = v.safeParse(schema, properties);
  if (result.success) return result.output;
  const issue = result.issues[0];
  const { AlarmName } = Object(properties) as { readonly AlarmName?: unknown };
  const path = v.getDotPath(issue);
  const where = path === null ? "" : `${path}: `;
  throw new AlarmPropertiesError(
    typeof AlarmName === "string" ? AlarmName : "(no AlarmName)",
    `${where}${issue.message}`,
  );
}

type SingleMetric = {
  readonly Namespace?: string | undefined;
  readonly Dimensions: Record<string, string>;
  readonly Period?: number | undefined;
  readonly Statistic?: string | undefined;
  readonly ExtendedStatistic?: string | undefined;
  readonly Unit?: string | undefined;
};

function singleQuery(MetricName: string | undefined, metric: SingleMetric): MetricQuery {
  return {
    Id: "m1",
    Label: MetricName,
    Expression: undefined,
    Period: undefined,
    ReturnData: true,
    MetricStat: {
      Metric: {
        Namespace: metric.Namespace ?? "",
        MetricName: MetricName ?? "",
        Dimensions: metric.Dimensions,
      },
      Period: metric.Period ?? 60,
      Stat: metric.Statistic ?? metric.ExtendedStatistic ?? "",
      Unit: metric.Unit,
    },
  };
}
