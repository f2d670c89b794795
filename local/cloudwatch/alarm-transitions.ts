import { suppressedBy } from "./action-suppression.ts";
import type { AlarmHistory } from "./alarm-history.ts";
import type { CompositeAlarm, MetricAlarm } from "./alarm-properties.ts";
import { alarmNameOf } from "./composite-rule.ts";
import type { AlarmVerdict } from "./evaluate-alarm.ts";
import { evaluateComposites } from "./evaluate-alarms.ts";
import { actionsOf, changed, type KeptAlarm, nameOf } from "./kept-alarm.ts";
import type { MetricStore } from "./metric-store.ts";
import type { AlarmState } from "./missing-data.ts";
import { periodMsOf } from "./time-grid.ts";

/** A change of an alarm's state, or the late actions of one that were suppressed until now. */
export type StateChange = {
  readonly alarmName: string;
  readonly from: AlarmState;
  readonly to: AlarmState;
  readonly reason: string;
  /** ARNs that are notified; none while actions are disabled or suppressed. */
  readonly actions: readonly string[];
  /** Epoch milliseconds. */
  readonly atMs: number;
};

export type AlarmBook = {
  readonly alarms: Map<string, KeptAlarm>;
  readonly store: MetricStore;
  readonly history: AlarmHistory;
  readonly onStateChange: (change: StateChange) => void;
};

/** Sets the states of `verdicts` and of the composites that follow from them, then sends the actions
 *  of what changed and of what is suppressed no longer. */
export function settle(
  book: AlarmBook,
  verdicts: ReadonlyMap<string, AlarmVerdict>,
  nowMs: number,
): void {
  // A composite with a verdict was set by hand: it counts as it is.
  const composites = compositeAlarmsOf(book).filter(({ AlarmName }) => !verdicts.has(AlarmName));
  const following = evaluateComposites(composites, statesOfOthers(book, composites, verdicts));
  const stateBefore = setStates(book, new Map([...verdicts, ...following]), nowMs);
  // Suppressors are judged by their new states, so no action goes out before all states are set.
  for (const alarm of [...book.alarms.values()]) {
    act(book, alarm, stateBefore.get(nameOf(alarm)), nowMs);
  }
}

export function metricAlarmsOf({ alarms }: Pick<AlarmBook, "alarms">): readonly MetricAlarm[] {
  return [...alarms.values()].flatMap(({ definition }) =>
    definition.kind === "metric" ? [definition.properties] : [],
  );
}

export function compositeAlarmsOf({
  alarms,
}: Pick<AlarmBook, "alarms">): readonly CompositeAlarm[] {
  return [...alarms.values()].flatMap(({ definition }) =>
    definition.kind === "composite" ? [definition.properties] : [],
  );
}

function statesOfOthers(
  { alarms }: AlarmBook,
  composites: readonly CompositeAlarm[],
  verdicts: ReadonlyMap<string, AlarmVerdict>,
): ReadonlyMap<string, AlarmState> {
  const states = new Map<string, AlarmState>();
  for (const [name, alarm] of alarms) states.set(name, verdicts.get(name)?.state ?? alarm.state);
  for (const { AlarmName } of composites) states.delete(AlarmName);
  return states;
}

/** Gives the states that the changed alarms had before. */
function setStates(
  { alarms, history }: AlarmBook,
  verdicts: ReadonlyMap<string, AlarmVerdict>,
  nowMs: number,
): ReadonlyMap<string, AlarmState> {
  const stateBefore = new Map<string, AlarmState>();
  for (const [name, verdict] of verdicts) {
    const alarm = alarms.get(name);
    if (alarm === undefined || alarm.state === verdict.state) continue;
    stateBefore.set(name, alarm.state);
    alarms.set(name, changed(alarm, verdict, nowMs));
    const summary = `Alarm updated from ${alarm.state} to ${verdict.state}`;
    history.add({ alarm, type: "StateUpdate", summary, data: verdict.reason, atMs: nowMs });
  }
  return stateBefore;
}

function act(
  book: AlarmBook,
  alarm: KeptAlarm,
  changedFrom: AlarmState | undefined,
  nowMs: number,
): void {
  const { actedState, state, reason } = alarm;
  const due = actedState !== state && !isSuppressed(alarm, book, nowMs);
  if (due) book.alarms.set(nameOf(alarm), { ...alarm, actedState: state });
  const actions = due ? actionsOf(alarm) : [];
  for (const action of actions) {
    const summary = `Notified ${action}`;
    book.history.add({ alarm, type: "Action", summary, data: reason, atMs: nowMs });
  }
  if (changedFrom === undefined && actions.length === 0) return;
  const from = changedFrom ?? actedState;
  book.onStateChange({ alarmName: nameOf(alarm), from, to: state, reason, actions, atMs: nowMs });
}

function isSuppressed(alarm: KeptAlarm, { alarms, store }: AlarmBook, nowMs: number): boolean {
  if (alarm.definition.kind === "metric") return false;
  const { ActionsSuppressor, ...periods } = alarm.definition.properties;
  const suppressor = alarms.get(alarmNameOf(ActionsSuppressor ?? ""));
  if (suppressor === undefined) return false;
  const suppression = {
    changedAtMs: alarm.stateChangedAtMs,
    suppressorInAlarm: suppressor.state === "ALARM",
    suppressorLeftAtMs: suppressor.leftAlarmAtMs,
    waitMs: periodMsOf(periods.ActionsSuppressorWaitPeriod ?? 0, store.divisor),
    extensionMs: periodMsOf(periods.ActionsSuppressorExtensionPeriod ?? 0, store.divisor),
  };
  return suppressedBy(suppression, nowMs) !== undefined;
}
