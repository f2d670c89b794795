import * as v from "valibot";
import type { Operation } from "../http/aws-json.ts";
import { alarmTypeOf, describeAlarm, describeHistoryItem } from "./alarm-description.ts";
import type { AlarmRegistry } from "./alarm-registry.ts";
import { actionsOf, type KeptAlarm, nameOf } from "./kept-alarm.ts";
import { notFound, pageOf, readRequest, timeSchema } from "./request.ts";

/** CloudWatch's operations on alarms. `arnPrefix` is what an alarm's name follows in its ARN. */
export function alarmOperations(
  registry: AlarmRegistry,
  now: () => number,
  arnPrefix: string,
): Readonly<Record<string, Operation>> {
  return {
    PutMetricAlarm: (input) => registry.putAlarm(input, now()),
    PutCompositeAlarm: (input) => registry.putComposite(input, now()),
    DescribeAlarms: (input) => describeAlarms(input, registry, arnPrefix),
    DescribeAlarmHistory: (input) => describeHistory(input, registry),
    SetAlarmState: (input) => setAlarmState(input, registry, now()),
    DeleteAlarms: (input) => deleteAlarms(input, registry),
    EnableAlarmActions: (input) => registry.enableActions(namesIn(input), true),
    DisableAlarmActions: (input) => registry.enableActions(namesIn(input), false),
  };
}

const stateSchema = v.picklist(["OK", "ALARM", "INSUFFICIENT_DATA"]);
const typesSchema = v.array(v.picklist(["MetricAlarm", "CompositeAlarm"]));
const pageEntries = {
  MaxRecords: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
  NextToken: v.optional(v.string()),
};

const describeSchema = v.object({
  ...pageEntries,
  AlarmNames: v.optional(v.array(v.string())),
  AlarmNamePrefix: v.optional(v.string(), ""),
  // Like AWS: without this only metric alarms are listed.
  AlarmTypes: v.optional(typesSchema, ["MetricAlarm"]),
  StateValue: v.optional(stateSchema),
  ActionPrefix: v.optional(v.string()),
});

function describeAlarms(input: unknown, registry: AlarmRegistry, arnPrefix: string): unknown {
  const filter = readRequest(describeSchema, input);
  const found = registry.all().filter((alarm) => isDescribed(alarm, filter));
  const { page, ...more } = pageOf(found, filter.MaxRecords ?? 50, filter.NextToken);
  const ofKind = (kind: KeptAlarm["definition"]["kind"]): readonly unknown[] =>
    page
      .filter(({ definition }) => definition.kind === kind)
      .map((alarm) => describeAlarm(alarm, arnPrefix));
  return { MetricAlarms: ofKind("metric"), CompositeAlarms: ofKind("composite"), ...more };
}

function isDescribed(alarm: KeptAlarm, filter: v.InferOutput<typeof describeSchema>): boolean {
  const name = nameOf(alarm);
  const { ActionPrefix } = filter;
  return (
    (filter.AlarmNames?.includes(name) ?? true) &&
    name.startsWith(filter.AlarmNamePrefix) &&
    filter.AlarmTypes.includes(alarmTypeOf(alarm)) &&
    (filter.StateValue ?? alarm.state) === alarm.state &&
    (ActionPrefix === undefined || actionsOf(alarm).some((arn) => arn.startsWith(ActionPrefix)))
  );
}

const historySchema = v.object({
  ...pageEntries,
  AlarmName: v.optional(v.string()),
  AlarmTypes: v.optional(typesSchema, ["MetricAlarm"]),
  HistoryItemType: v.optional(v.string()),
  StartDate: v.optional(timeSchema, Number.NEGATIVE_INFINITY),
  EndDate: v.optional(timeSchema, Number.POSITIVE_INFINITY),
  ScanBy: v.optional(v.picklist(["TimestampAscending", "TimestampDescending"])),
});

function describeHistory(input: unknown, registry: AlarmRegistry): unknown {
  const filter = readRequest(historySchema, input);
  const found = registry.history
    .items()
    .filter(
      ({ alarm, type, atMs }) =>
        (filter.AlarmName ?? nameOf(alarm)) === nameOf(alarm) &&
        filter.AlarmTypes.includes(alarmTypeOf(alarm)) &&
        (filter.HistoryItemType ?? type) === type &&
        atMs >= filter.StartDate &&
        atMs <= filter.EndDate,
    );
  const ordered = filter.ScanBy === "TimestampAscending" ? found : found.toReversed();
  const { page, ...more } = pageOf(ordered, filter.MaxRecords ?? 100, filter.NextToken);
  return { AlarmHistoryItems: page.map(describeHistoryItem), ...more };
}

const setStateSchema = v.object({
  AlarmName: v.string(),
  StateValue: stateSchema,
  StateReason: v.string(),
});

function setAlarmState(input: unknown, registry: AlarmRegistry, nowMs: number): void {
  const { AlarmName, StateValue, StateReason } = readRequest(setStateSchema, input);
  const alarm = registry.get(AlarmName);
  if (alarm === undefined) throw notFound(AlarmName);
  registry.setState(alarm, { state: StateValue, reason: StateReason }, nowMs);
}

function deleteAlarms(input: unknown, registry: AlarmRegistry): void {
  const names = namesIn(input);
  const unknown = names.find((name) => registry.get(name) === undefined);
  if (unknown !== undefined) throw notFound(unknown);
  registry.remove(names);
}

const namesSchema = v.object({ AlarmNames: v.array(v.string()) });

function namesIn(input: unknown): readonly string[] {
  return readRequest(namesSchema, input).AlarmNames;
}
