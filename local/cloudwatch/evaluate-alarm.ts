import { AlarmPropertiesError, type MetricAlarm } from "./alarm-properties.ts";
import { evaluateQueries, periodSecondsOf } from "./metric-queries.ts";
import type { MetricStore } from "./metric-store.ts";
import {
  type AlarmState,
  EXTRA_PERIODS,
  type MissingDataTreatment,
  stateOfDatapoints,
} from "./missing-data.ts";
import { gridBefore, minuteMsOf, periodMsOf, type Series } from "./time-grid.ts";

/** What an evaluation came to. `reason` reads like CloudWatch's StateReason. */
export type AlarmVerdict = { readonly state: AlarmState; readonly reason: string };

export type AlarmContext = {
  readonly store: MetricStore;
  /** Epoch milliseconds. Only minutes that ended by then are looked at. */
  readonly nowMs: number;
  /** The state that the alarm is in, which it keeps where missing data is ignored. */
  readonly previous: AlarmState;
};

/**
 * Evaluates one metric alarm as CloudWatch does every minute: the newest period ends with the last
 * whole minute, and the alarm looks two periods further back than EvaluationPeriods.
 * @throws AlarmPropertiesError for a range that the store does not keep, or an expression that does
 * not give one time series.
 */
export function evaluateAlarm(
  alarm: MetricAlarm,
  { store, nowMs, previous }: AlarmContext,
): AlarmVerdict {
  const datapoints = datapointsOf(alarm, store, nowMs);
  const isBreaching = breachOf(alarm);
  const breaches = datapoints.map((value) =>
    value === undefined ? undefined : isBreaching(value, alarm.Threshold),
  );
  const state = stateOfDatapoints(breaches, {
    evaluationPeriods: alarm.EvaluationPeriods,
    datapointsToAlarm: alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods,
    treatMissingData: treatmentOf(alarm),
  });
  return { state: state ?? previous, reason: reasonOf(alarm, datapoints, isBreaching) };
}

/** The values that an evaluation at `nowMs` looks at, oldest first. */
function datapointsOf(alarm: MetricAlarm, store: MetricStore, nowMs: number): Series {
  const watched = alarm.queries.find(({ ReturnData }) => ReturnData) ?? alarm.queries[0];
  if (watched === undefined) throw new AlarmPropertiesError(alarm.AlarmName, "watches nothing");
  const periodMs = periodMsOf(periodSecondsOf(watched, alarm.queries), store.divisor);
  const kept = Math.floor(store.retentionMs / periodMs);
  if (kept < alarm.EvaluationPeriods) {
    throw new AlarmPropertiesError(
      alarm.AlarmName,
      `needs ${alarm.EvaluationPeriods} periods, but metrics are kept for ${kept}`,
    );
  }
  const count = Math.min(alarm.EvaluationPeriods + EXTRA_PERIODS, kept);
  const step = Math.min(periodMs, minuteMsOf(store.divisor));
  const grid = gridBefore(Math.floor(nowMs / step) * step, periodMs, count);
  const { value } = evaluateQueries(alarm.queries, store, () => grid)(watched);
  if (value.kind === "series") return value.series;
  throw new AlarmPropertiesError(
    alarm.AlarmName,
    `Expected \`${watched.Expression}\` to give one time series, got ${value.kind}`,
  );
}

function breachOf({
  ComparisonOperator,
}: MetricAlarm): (value: number, threshold: number) => boolean {
  switch (ComparisonOperator) {
    case "GreaterThanOrEqualToThreshold":
      return (value, threshold) => value >= threshold;
    case "GreaterThanThreshold":
      return (value, threshold) => value > threshold;
    case "LessThanOrEqualToThreshold":
      return (value, threshold) => value <= threshold;
    case "LessThanThreshold":
      return (value, threshold) => value < threshold;
    default:
      return ComparisonOperator satisfies never;
  }
}

/** DynamoDB's metrics are sparse, so there the default is to keep the state. */
function treatmentOf({ TreatMissingData, Namespace }: MetricAlarm): MissingDataTreatment {
  return TreatMissingData ?? (Namespace === "AWS/DynamoDB" ? "ignore" : "missing");
}

function reasonOf(
  { EvaluationPeriods, Threshold, ComparisonOperator }: MetricAlarm,
  datapoints: Series,
  isBreaching: (value: number, threshold: number) => boolean,
): string {
  const real = datapoints.filter((value) => value !== undefined).slice(-EvaluationPeriods);
  const values = real.map((value) => Math.round(value * 1000) / 1000).join(", ");
  const breaching = real.filter((value) => isBreaching(value, Threshold)).length;
  return (
    `${breaching} of the last ${EvaluationPeriods} datapoints [${values}] breached ` +
    `${ComparisonOperator} ${Threshold}; ${EvaluationPeriods - real.length} missing`
  );
}
