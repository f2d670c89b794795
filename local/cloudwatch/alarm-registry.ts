import { type AlarmHistory, createAlarmHistory } from "./alarm-history.ts";
import {
  AlarmPropertiesError,
  type CompositeAlarm,
  parseCompositeAlarm,
  parseMetricAlarm,
} from "./alarm-properties.ts";
import {
  type AlarmBook,
  compositeAlarmsOf,
  metricAlarmsOf,
  type StateChange,
  settle,
} from "./alarm-transitions.ts";
import { alarmNameOf, alarmsNamedBy, parseCompositeRule } from "./composite-rule.ts";
import { type AlarmVerdict, evaluateAlarm } from "./evaluate-alarm.ts";
import { evaluateComposites, evaluateMetricAlarms } from "./evaluate-alarms.ts";
import { type AlarmDefinition, configured, type KeptAlarm } from "./kept-alarm.ts";
import type { MetricStore } from "./metric-store.ts";

/** Alarms, their states and the actions that follow. It has no clock: each call is told the time. */
export type AlarmRegistry = {
  readonly history: AlarmHistory;
  all(): readonly KeptAlarm[];
  get(alarmName: string): KeptAlarm | undefined;
  /** Adds or replaces a metric alarm; one that is replaced keeps its state.
   *  @throws AlarmPropertiesError or MetricMathError for properties that AWS would refuse. */
  putAlarm(properties: unknown, nowMs: number): void;
  /** Adds or replaces a composite alarm. The alarms that its rule names must exist before.
   *  @throws AlarmPropertiesError or CompositeRuleError for properties that AWS would refuse. */
  putComposite(properties: unknown, nowMs: number): void;
  /** Holds until the next evaluation finds otherwise. */
  setState(alarm: KeptAlarm, verdict: AlarmVerdict, nowMs: number): void;
  /** Names without an alarm are passed over, as AWS does. */
  enableActions(alarmNames: readonly string[], enabled: boolean): void;
  /** @throws AlarmPropertiesError, and deletes none, if a composite that stays names one of them. */
  remove(alarmNames: readonly string[]): void;
  /** Evaluates every alarm and sends the actions of those that changed. */
  evaluate(nowMs: number): void;
};

export function createAlarmRegistry(
  store: MetricStore,
  onStateChange: (change: StateChange) => void = () => {},
): AlarmRegistry {
  const alarms = new Map<string, KeptAlarm>();
  const history = createAlarmHistory();
  const book: AlarmBook = { alarms, store, history, onStateChange };
  return {
    history,
    all: () => [...alarms.values()],
    get: (alarmName) => alarms.get(alarmName),
    putAlarm: (properties, nowMs) => put(book, metricDefinition(properties, store, nowMs), nowMs),
    putComposite: (properties, nowMs) => put(book, compositeDefinition(properties, book), nowMs),
    setState: ({ definition }, verdict, nowMs) =>
      settle(book, new Map([[definition.properties.AlarmName, verdict]]), nowMs),
    enableActions(alarmNames, actionsEnabled): void {
      for (const name of alarmNames) {
        const alarm = alarms.get(name);
        if (alarm !== undefined) alarms.set(name, { ...alarm, actionsEnabled });
      }
    },
    remove: (alarmNames) => remove(book, new Set(alarmNames)),
    evaluate(nowMs): void {
      const states = new Map([...alarms].map(([name, { state }]) => [name, state]));
      settle(book, evaluateMetricAlarms(metricAlarmsOf(book), store, nowMs, states), nowMs);
    },
  };
}

function metricDefinition(input: unknown, store: MetricStore, nowMs: number): AlarmDefinition {
  const properties = parseMetricAlarm(input);
  // Finds a wrong expression now rather than at the first evaluation.
  evaluateAlarm(properties, { store, nowMs, previous: "INSUFFICIENT_DATA" });
  return { kind: "metric", properties };
}

function compositeDefinition(input: unknown, book: AlarmBook): AlarmDefinition {
  const properties = parseCompositeAlarm(input);
  const missing = alarmsBehind(properties).find((name) => !book.alarms.has(name));
  if (missing !== undefined) {
    throw new AlarmPropertiesError(
      properties.AlarmName,
      `there is no alarm \`${missing}\`; put that one first`,
    );
  }
  const others = compositeAlarmsOf(book).filter(
    ({ AlarmName }) => AlarmName !== properties.AlarmName,
  );
  const states = metricAlarmsOf(book).map(({ AlarmName }) => [AlarmName, "OK"] as const);
  // Finds a rule that leads to itself.
  evaluateComposites([...others, properties], new Map(states));
  return { kind: "composite", properties };
}

function put({ alarms, history }: AlarmBook, definition: AlarmDefinition, nowMs: number): void {
  const name = definition.properties.AlarmName;
  const before = alarms.get(name);
  if (before !== undefined && before.definition.kind !== definition.kind) {
    throw new AlarmPropertiesError(
      name,
      `this name is a ${before.definition.kind} alarm's already`,
    );
  }
  const alarm = configured(definition, before, nowMs);
  alarms.set(name, alarm);
  const summary = `Alarm "${name}" ${before === undefined ? "created" : "updated"}`;
  history.add({ alarm, type: "ConfigurationUpdate", summary, data: summary, atMs: nowMs });
}

function remove(book: AlarmBook, going: ReadonlySet<string>): void {
  for (const composite of compositeAlarmsOf(book)) {
    const used = alarmsBehind(composite).find((name) => going.has(name));
    if (used !== undefined && !going.has(composite.AlarmName)) {
      throw new AlarmPropertiesError(used, `composite \`${composite.AlarmName}\` depends on it`);
    }
  }
  for (const name of going) book.alarms.delete(name);
}

/** Every alarm that a composite depends on: those of its rule and its suppressor. */
function alarmsBehind({ AlarmRule, ActionsSuppressor }: CompositeAlarm): readonly string[] {
  const named = alarmsNamedBy(parseCompositeRule(AlarmRule));
  return ActionsSuppressor === undefined ? named : [...named, alarmNameOf(ActionsSuppressor)];
}
