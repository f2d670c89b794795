import type { CompositeAlarm, MetricAlarm } from "./alarm-properties.ts";
import type { AlarmVerdict } from "./evaluate-alarm.ts";
import type { AlarmState } from "./missing-data.ts";

export type AlarmDefinition =
  | { readonly kind: "metric"; readonly properties: MetricAlarm }
  | { readonly kind: "composite"; readonly properties: CompositeAlarm };

/** An alarm and how it stands; times in epoch milliseconds. */
export type KeptAlarm = {
  readonly definition: AlarmDefinition;
  readonly actionsEnabled: boolean;
  readonly state: AlarmState;
  readonly reason: string;
  readonly stateChangedAtMs: number;
  readonly configuredAtMs: number;
  /** When the alarm last left ALARM; undefined if it never did. */
  readonly leftAlarmAtMs: number | undefined;
  /** The state whose actions went out last: another one than `state` while they are held back. */
  readonly actedState: AlarmState;
};

export function nameOf({ definition }: KeptAlarm): string {
  return definition.properties.AlarmName;
}

/** A new alarm starts as INSUFFICIENT_DATA; one that replaces `before` keeps its state. */
export function configured(
  definition: AlarmDefinition,
  before: KeptAlarm | undefined,
  nowMs: number,
): KeptAlarm {
  const fresh: KeptAlarm = {
    definition,
    actionsEnabled: definition.properties.ActionsEnabled,
    state: "INSUFFICIENT_DATA",
    reason: "Unchecked: Initial alarm creation",
    stateChangedAtMs: nowMs,
    configuredAtMs: nowMs,
    leftAlarmAtMs: undefined,
    actedState: "INSUFFICIENT_DATA",
  };
  const { actionsEnabled, configuredAtMs } = fresh;
  return before === undefined ? fresh : { ...before, definition, actionsEnabled, configuredAtMs };
}

/** The alarm after an evaluation that found another state. */
export function changed(alarm: KeptAlarm, verdict: AlarmVerdict, nowMs: number): KeptAlarm {
  const leftAlarmAtMs = alarm.state === "ALARM" ? nowMs : alarm.leftAlarmAtMs;
  return { ...alarm, ...verdict, stateChangedAtMs: nowMs, leftAlarmAtMs };
}

/** ARNs to notify of the state that the alarm is in; none while its actions are disabled. */
export function actionsOf({ definition, actionsEnabled, state }: KeptAlarm): readonly string[] {
  if (!actionsEnabled) return [];
  const { AlarmActions, OKActions, InsufficientDataActions } = definition.properties;
  switch (state) {
    case "ALARM":
      return AlarmActions;
    case "OK":
      return OKActions;
    case "INSUFFICIENT_DATA":
      return InsufficientDataActions;
    default:
      return state satisfies never;
  }
}
