import { describe, expect, it } from "vitest";
import { createAlarmRegistry } from "../../../local/cloudwatch/alarm-registry.ts";
import type { StateChange } from "../../../local/cloudwatch/alarm-transitions.ts";
import { createMetricStore } from "../../../local/cloudwatch/metric-store.ts";

const MINUTE_MS = 60_000;
const START_MS = 1_800_000_000_000;

/** A registry with a virtual clock; `minute` reports values and evaluates after they are whole. */
function registryOf() {
  const store = createMetricStore();
  const changes: StateChange[] = [];
  const registry = createAlarmRegistry(store, (change) => changes.push(change));
  let nowMs = START_MS;
  return {
    registry,
    changes,
    now: () => nowMs,
    putAlarm: (fields: object) => registry.putAlarm(alarmOf(fields), nowMs),
    putComposite: (fields: object) =>
      registry.putComposite(
        { AlarmActions: ["arn:page"], OKActions: ["arn:calm"], ...fields },
        nowMs,
      ),
    /** The changes that a minute with these values brought: `name: from to [actions]`. */
    minute(values: Readonly<Record<string, number>>) {
      for (const [metricName, value] of Object.entries(values)) {
        store.record({ namespace: "Game", metricName, dimensions: {}, timestampMs: nowMs, value });
      }
      nowMs += MINUTE_MS;
      changes.length = 0;
      registry.evaluate(nowMs);
      return changes.map(
        ({ alarmName, from, to, actions }) => `${alarmName}: ${from} ${to} [${actions}]`,
      );
    },
  };
}

function alarmOf({ AlarmName = "age", ...fields }: { AlarmName?: string }) {
  return {
    AlarmName,
    Namespace: "Game",
    MetricName: AlarmName,
    Statistic: "Maximum",
    Period: 60,
    EvaluationPeriods: 1,
    ComparisonOperator: "GreaterThanOrEqualToThreshold",
    Threshold: 5,
    AlarmActions: [`arn:${AlarmName}:alarm`],
    OKActions: [`arn:${AlarmName}:ok`],
    InsufficientDataActions: [`arn:${AlarmName}:unknown`],
    ...fields,
  };
}

describe("alarm registry", () => {
  it("sends the actions of the new state on a change, and none while the state lasts", () => {
    const { putAlarm, minute } = registryOf();
    putAlarm({});
    expect(minute({ age: 0 })).toEqual(["age: INSUFFICIENT_DATA OK [arn:age:ok]"]);
    expect(minute({ age: 5 })).toEqual(["age: OK ALARM [arn:age:alarm]"]);
    expect(minute({ age: 6 })).toEqual([]);
    expect(minute({ age: 1 })).toEqual(["age: ALARM OK [arn:age:ok]"]);
    expect([minute({}), minute({})]).toEqual([[], []]);
    expect(minute({})).toEqual(["age: OK INSUFFICIENT_DATA [arn:age:unknown]"]);
  });

  it("tells of a change without actions while they are disabled, and does not make up for them", () => {
    const { registry, putAlarm, minute } = registryOf();
    putAlarm({ ActionsEnabled: false });
    expect(minute({ age: 5 })).toEqual(["age: INSUFFICIENT_DATA ALARM []"]);
    registry.enableActions(["age", "unknown"], true);
    expect(minute({ age: 5 })).toEqual([]);
    expect(minute({ age: 0 })).toEqual(["age: ALARM OK [arn:age:ok]"]);
  });

  it("keeps the state of an alarm that is put again", () => {
    const { registry, putAlarm, minute } = registryOf();
    putAlarm({});
    minute({ age: 5 });
    putAlarm({ Threshold: 50 } as object);
    expect(registry.get("age")?.state).toBe("ALARM");
    expect(minute({ age: 5 })).toEqual(["age: ALARM OK [arn:age:ok]"]);
  });

  it("evaluates composites on the states of the same evaluation", () => {
    const { putAlarm, putComposite, minute } = registryOf();
    putAlarm({});
    putComposite({ AlarmName: "page", AlarmRule: "ALARM(age)" });
    expect(minute({ age: 5 })).toEqual([
      "age: INSUFFICIENT_DATA ALARM [arn:age:alarm]",
      "page: INSUFFICIENT_DATA ALARM [arn:page]",
    ]);
  });

  it("lets a state that was set by hand reach composites at once and last until the next evaluation", () => {
    const { registry, changes, putAlarm, putComposite, minute, now } = registryOf();
    putAlarm({});
    putComposite({ AlarmName: "page", AlarmRule: "ALARM(age)" });
    putComposite({ AlarmName: "all", AlarmRule: "ALARM(page)" });
    minute({ age: 0 });
    changes.length = 0;
    for (const name of ["age", "page"]) {
      const alarm = registry.get(name);
      if (alarm === undefined) throw new Error(`no alarm ${name}`);
      registry.setState(alarm, { state: name === "age" ? "ALARM" : "OK", reason: "drill" }, now());
    }
    expect(changes.map(({ alarmName, to }) => `${alarmName} ${to}`)).toEqual([
      "age ALARM",
      "page ALARM",
      "all ALARM",
      "page OK",
      "all OK",
    ]);
    expect(minute({ age: 0 })).toEqual(["age: ALARM OK [arn:age:ok]"]);
  });

  it("holds a composite's actions back while its suppressor is in ALARM, and sends them after", () => {
    const { putAlarm, putComposite, minute } = registryOf();
    putAlarm({ AlarmName: "age", AlarmActions: [] } as object);
    putAlarm({ AlarmName: "deploying", AlarmActions: [], OKActions: [] } as object);
    const periods = { ActionsSuppressorWaitPeriod: 60, ActionsSuppressorExtensionPeriod: 60 };
    const rule = { AlarmName: "page", AlarmRule: "ALARM(age)", OKActions: [] };
    putComposite({
      ...rule,
      ActionsSuppressor: "arn:aws:cloudwatch:r:1:alarm:deploying",
      ...periods,
    });
    const changesOfPage = (values: Readonly<Record<string, number>>) =>
      minute(values).filter((change) => change.startsWith("page"));
    expect(changesOfPage({ age: 0, deploying: 0 })).toEqual(["page: INSUFFICIENT_DATA OK []"]);
    expect(changesOfPage({ age: 5, deploying: 5 })).toEqual(["page: OK ALARM []"]);
    expect(changesOfPage({ age: 5, deploying: 5 })).toEqual([]);
    expect(changesOfPage({ age: 5, deploying: 0 })).toEqual([]);
    expect(changesOfPage({ age: 5, deploying: 0 })).toEqual([
      "page: INSUFFICIENT_DATA ALARM [arn:page]",
    ]);
    expect(changesOfPage({ age: 5, deploying: 0 })).toEqual([]);
  });

  it("gives a suppressor its wait period before actions go out", () => {
    const { putAlarm, putComposite, minute } = registryOf();
    putAlarm({});
    putAlarm({ AlarmName: "deploying" });
    const periods = { ActionsSuppressorWaitPeriod: 120, ActionsSuppressorExtensionPeriod: 60 };
    const page = { AlarmName: "page", AlarmRule: "ALARM(age)", ActionsSuppressor: "deploying" };
    putComposite({ ...page, ...periods });
    const [, , change] = minute({ age: 5, deploying: 0 });
    expect(change).toBe("page: INSUFFICIENT_DATA ALARM []");
    expect(minute({ age: 5, deploying: 0 })).toEqual([]);
    expect(minute({ age: 5, deploying: 0 })).toEqual(["page: INSUFFICIENT_DATA ALARM [arn:page]"]);
  });

  it("refuses a composite over an alarm that is missing, or that leads to itself", () => {
    const { putAlarm, putComposite } = registryOf();
    putAlarm({});
    expect(() => putComposite({ AlarmName: "page", AlarmRule: "ALARM(gone)" })).toThrow(
      "there is no alarm `gone`; put that one first",
    );
    putComposite({ AlarmName: "page", AlarmRule: "ALARM(age)" });
    putComposite({ AlarmName: "all", AlarmRule: "ALARM(page)" });
    expect(() => putComposite({ AlarmName: "page", AlarmRule: "ALARM(all)" })).toThrow("to itself");
    expect(() => putComposite({ AlarmName: "age", AlarmRule: "TRUE" })).toThrow(
      "this name is a metric alarm's already",
    );
  });

  it("deletes no alarm that a composite which stays depends on", () => {
    const { registry, putAlarm, putComposite } = registryOf();
    putAlarm({});
    putComposite({ AlarmName: "page", AlarmRule: "ALARM(age)" });
    expect(() => registry.remove(["age"])).toThrow("composite `page` depends on it");
    registry.remove(["age", "page"]);
    expect(registry.all()).toEqual([]);
  });

  it("remembers configuration, changes and actions in order", () => {
    const { registry, putAlarm, minute } = registryOf();
    putAlarm({});
    minute({ age: 5 });
    expect(registry.history.items().map(({ type, summary }) => `${type}: ${summary}`)).toEqual([
      'ConfigurationUpdate: Alarm "age" created',
      "StateUpdate: Alarm updated from INSUFFICIENT_DATA to ALARM",
      "Action: Notified arn:age:alarm",
    ]);
  });
});
