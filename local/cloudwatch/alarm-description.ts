import type { HistoryItem } from "./alarm-history.ts";
import type { MetricAlarm } from "./alarm-properties.ts";
import { type KeptAlarm, nameOf } from "./kept-alarm.ts";

/** A kept alarm as DescribeAlarms answers it: a MetricAlarm or a CompositeAlarm of the API. */
export function describeAlarm(alarm: KeptAlarm, arnPrefix: string): unknown {
  const { definition, actionsEnabled, state, reason, stateChangedAtMs, configuredAtMs } = alarm;
  const { properties } = definition;
  return {
    ...(definition.kind === "metric" ? describeMetrics(definition.properties) : properties),
    AlarmArn: `${arnPrefix}${properties.AlarmName}`,
    ActionsEnabled: actionsEnabled,
    AlarmConfigurationUpdatedTimestamp: configuredAtMs / 1000,
    StateValue: state,
    StateReason: reason,
    StateUpdatedTimestamp: stateChangedAtMs / 1000,
    StateTransitionedTimestamp: stateChangedAtMs / 1000,
  };
}

/** An entry of DescribeAlarmHistory. */
export function describeHistoryItem({ alarm, type, summary, data, atMs }: HistoryItem): unknown {
  return {
    AlarmName: nameOf(alarm),
    AlarmType: alarmTypeOf(alarm),
    Timestamp: atMs / 1000,
    HistoryItemType: type,
    HistorySummary: summary,
    HistoryData: data,
  };
}

export function alarmTypeOf({ definition }: KeptAlarm): "MetricAlarm" | "CompositeAlarm" {
  return definition.kind === "metric" ? "MetricAlarm" : "CompositeAlarm";
}

function describeMetrics({ queries, Metrics, Dimensions, ...alarm }: MetricAlarm): object {
  if (Metrics.length === 0) return { ...alarm, Dimensions: pairsOf(Dimensions) };
  const described = queries.map(({ MetricStat, ...query }) => {
    if (MetricStat === undefined) return query;
    const Metric = { ...MetricStat.Metric, Dimensions: pairsOf(MetricStat.Metric.Dimensions) };
    return { ...query, MetricStat: { ...MetricStat, Metric } };
  });
  return { ...alarm, Metrics: described };
}

function pairsOf(dimensions: Readonly<Record<string, string>>): readonly unknown[] {
  return Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
}
