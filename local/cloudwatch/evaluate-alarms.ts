import {
  type CompositeAlarm,
  type MetricAlarm,
  parseCompositeAlarm,
  parseMetricAlarm,
} from "./alarm-properties.ts";
import { alarmsNamedBy, CompositeRuleError, holds, parseCompositeRule } from "./composite-rule.ts";
import { type AlarmVerdict, evaluateAlarm } from "./evaluate-alarm.ts";
import type { MetricStore } from "./metric-store.ts";
import type { AlarmState } from "./missing-data.ts";

export type { AlarmState } from "./missing-data.ts";

/**
 * The state of each alarm at `nowMs`, by its name. `alarms` and `composites` are the properties of
 * AWS::CloudWatch::Alarm and AWS::CloudWatch::CompositeAlarm with intrinsics resolved; a rule may
 * name an alarm by name or ARN. `previous` holds the states before, INSUFFICIENT_DATA where it has
 * none. Only minutes that ended by `nowMs` count: data of the running minute is not seen.
 * @throws AlarmPropertiesError, MetricMathError or CompositeRuleError for what AWS would refuse.
 */
export function evaluateAlarms(input: {
  readonly alarms: readonly unknown[];
  readonly composites?: readonly unknown[];
  readonly store: MetricStore;
  readonly nowMs: number;
  readonly previous?: ReadonlyMap<string, AlarmState>;
}): ReadonlyMap<string, AlarmState> {
  const { store, nowMs, previous = new Map() } = input;
  const verdicts = evaluateMetricAlarms(input.alarms.map(parseMetricAlarm), store, nowMs, previous);
  const states = new Map([...verdicts].map(([name, { state }]) => [name, state]));
  const composites = evaluateComposites((input.composites ?? []).map(parseCompositeAlarm), states);
  return new Map([
    ...states,
    ...[...composites].map(([name, { state }]) => [name, state] as const),
  ]);
}

export function evaluateMetricAlarms(
  alarms: readonly MetricAlarm[],
  store: MetricStore,
  nowMs: number,
  previousStates: ReadonlyMap<string, AlarmState>,
): ReadonlyMap<string, AlarmVerdict> {
  return new Map(
    alarms.map((alarm) => {
      const previous = previousStates.get(alarm.AlarmName) ?? "INSUFFICIENT_DATA";
      return [alarm.AlarmName, evaluateAlarm(alarm, { store, nowMs, previous })];
    }),
  );
}

/**
 * Evaluates composite alarms, which may refer to each other, on the states of metric alarms. A
 * composite is ALARM or OK, never INSUFFICIENT_DATA once evaluated.
 * @throws CompositeRuleError for a rule that names an unknown alarm or, in the end, itself.
 */
export function evaluateComposites(
  composites: readonly CompositeAlarm[],
  metricAlarmStates: ReadonlyMap<string, AlarmState>,
): ReadonlyMap<string, AlarmVerdict> {
  const compositeByName = new Map(composites.map((composite) => [composite.AlarmName, composite]));
  const states = new Map(metricAlarmStates);
  const open = new Set<string>();

  function stateOf(alarmName: string): AlarmState {
    const known = states.get(alarmName);
    if (known !== undefined) return known;
    const composite = compositeByName.get(alarmName);
    if (composite === undefined || open.has(alarmName)) {
      const problem =
        composite === undefined ? "there is no such alarm" : "its rule leads to itself";
      throw new CompositeRuleError(`A composite alarm names \`${alarmName}\`, but ${problem}`);
    }
    open.add(alarmName);
    const rule = parseCompositeRule(composite.AlarmRule);
    // All of them, before `holds` stops at the first that decides: a wrong name is always found.
    for (const named of alarmsNamedBy(rule)) stateOf(named);
    const state = holds(rule, stateOf) ? "ALARM" : "OK";
    states.set(alarmName, state);
    return state;
  }

  return new Map(
    composites.map(({ AlarmName, AlarmRule }) => {
      const state = stateOf(AlarmName);
      const reason = `The rule ${AlarmRule} is ${state === "ALARM" ? "true" : "false"}`;
      return [AlarmName, { state, reason }];
    }),
  );
}
