import {
  DeleteAlarmsCommand,
  DescribeAlarmsCommand,
  GetMetricDataCommand,
  type MetricDataQuery,
  PutMetricAlarmCommand,
  PutMetricDataCommand,
} from "@aws-sdk/client-cloudwatch";
import type { Probe, ProbeStage } from "./probe.ts";

const MINUTE_MS = 60_000;

/** A value is told each minute for so long; an alarm has decided by then. */
const MINUTES = 6;

const RANGE_MS = 10 * MINUTE_MS;

/** Alarms fill two metrics that may never have been told: the snapshot's count where no snapshot ever
 *  came, and what SQS deleted where nothing ever was. */
const EXPRESSIONS = {
  alone: "FILL(never, 0)",
  sum: "FILL(told, 0) + FILL(never, 0)",
  largest: "MAX([FILL(told, 0), FILL(never, 0)])",
  condition:
    "IF(told >= 0, IF((MAX([told, FILL(never, 0)]) > 0) AND (FILL(never, 0) < 1), 1, 0), 0)",
} as const;

/** Whether FILL gives values for a metric that never had one. */
export const FILL: Probe = {
  name: "fill",
  question:
    "Does FILL(m, 0) give values for a metric that never had a data point, alone and beside one that has, and does an alarm on the sum see them?",
  assumed:
    "it does; else a snapshot that never came and a consumer that never deleted raise no alarm of their own",
  async answer(stage): Promise<string> {
    const AlarmName = `${stage.prefix}-fill`;
    await createAlarm(stage, AlarmName);
    const startMs = Date.now();
    await tell(stage);
    while (Date.now() - startMs < Math.min(stage.watchMs, MINUTES * MINUTE_MS)) {
      await stage.sleep(MINUTE_MS);
      await tell(stage);
    }
    const counts = await valuesOf(stage);
    const { MetricAlarms = [] } = await stage.cloudWatch.send(
      new DescribeAlarmsCommand({ AlarmNames: [AlarmName] }),
    );
    return `values in ${RANGE_MS / MINUTE_MS} min: ${counts}; the alarm on the sum is ${MetricAlarms[0]?.StateValue ?? "gone"}`;
  },
};

function tell({ cloudWatch, prefix: Namespace }: ProbeStage): Promise<unknown> {
  const MetricData = [{ MetricName: "told", Value: 1, Timestamp: new Date() }];
  return cloudWatch.send(new PutMetricDataCommand({ Namespace, MetricData }));
}

async function createAlarm(
  { cloudWatch, prefix, atEnd }: ProbeStage,
  AlarmName: string,
): Promise<void> {
  await cloudWatch.send(
    new PutMetricAlarmCommand({
      AlarmName,
      ComparisonOperator: "GreaterThanOrEqualToThreshold",
      Threshold: 1,
      EvaluationPeriods: 3,
      DatapointsToAlarm: 1,
      TreatMissingData: "missing",
      Metrics: [...metricsOf(prefix, false), expressionOf("sum", EXPRESSIONS.sum)],
    }),
  );
  atEnd(() => cloudWatch.send(new DeleteAlarmsCommand({ AlarmNames: [AlarmName] })));
}

/** How many values each gave: `told 6, alone 10, ...`. */
async function valuesOf({ cloudWatch, prefix }: ProbeStage): Promise<string> {
  const nowMs = Date.now();
  const { MetricDataResults = [] } = await cloudWatch.send(
    new GetMetricDataCommand({
      StartTime: new Date(nowMs - RANGE_MS),
      EndTime: new Date(nowMs + MINUTE_MS),
      MetricDataQueries: [
        ...metricsOf(prefix, true),
        ...Object.entries(EXPRESSIONS).map(([id, text]) => expressionOf(id, text)),
      ],
    }),
  );
  return MetricDataResults.map(({ Id, Values = [] }) => `${Id} ${Values.length}`).join(", ");
}

function metricsOf(Namespace: string, ReturnData: boolean): MetricDataQuery[] {
  return ["told", "never"].map((MetricName) => ({
    Id: MetricName,
    ReturnData,
    MetricStat: { Metric: { Namespace, MetricName }, Period: 60, Stat: "Maximum" },
  }));
}

function expressionOf(Id: string, Expression: string): MetricDataQuery {
  return { Id, Expression, ReturnData: true };
}
