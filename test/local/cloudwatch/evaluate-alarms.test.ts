import { describe, expect, it } from "vitest";
import { type AlarmState, evaluateAlarms } from "../../../local/cloudwatch/evaluate-alarms.ts";
import { createMetricStore, type MetricStore } from "../../../local/cloudwatch/metric-store.ts";

const MINUTE_MS = 60_000;
/** A whole minute. */
const NOW_MS = 1_800_000_000_000;
const QUEUE = [{ Name: "QueueName", Value: "wallet.fifo" }];

/** One value a minute, the last one in the minute that ended at NOW_MS; undefined = no datapoint. */
function record(store: MetricStore, metricName: string, values: readonly (number | undefined)[]) {
  for (const [index, value] of values.entries()) {
    const timestampMs = NOW_MS - (values.length - index) * MINUTE_MS + 1234;
    const dimensions = { QueueName: "wallet.fifo" };
    if (value !== undefined) {
      store.record({ namespace: "AWS/SQS", metricName, dimensions, timestampMs, value });
    }
  }
}

function storeOf(series: Readonly<Record<string, readonly (number | undefined)[]>>, divisor = 1) {
  const store = createMetricStore({ divisor });
  for (const [name, values] of Object.entries(series)) record(store, name, values);
  return store;
}

function alarmOf(fields: object) {
  return {
    AlarmName: "age",
    Namespace: "AWS/SQS",
    MetricName: "Age",
    Dimensions: QUEUE,
    Statistic: "Maximum",
    Period: 60,
    EvaluationPeriods: 1,
    ComparisonOperator: "GreaterThanOrEqualToThreshold",
    Threshold: 600,
    ...fields,
  };
}

/** As CDK synthesizes a math expression: no metric of its own beside Metrics. */
function mathAlarmOf(Expression: string, metricNames: readonly string[], fields: object = {}) {
  const {
    MetricName: _,
    Namespace: __,
    Dimensions: ___,
    Statistic,
    Period,
    ...alarm
  } = alarmOf(fields);
  const Metrics = metricNames.map((MetricName, index) => ({
    Id: `m${index + 1}`,
    ReturnData: false,
    MetricStat: {
      Metric: { Namespace: "AWS/SQS", MetricName, Dimensions: QUEUE },
      Period,
      Stat: Statistic,
    },
  }));
  return { ...alarm, Metrics: [{ Id: "expr_1", Expression, Label: "Age" }, ...Metrics] };
}

function stateOf(alarm: object, store: MetricStore, previous?: AlarmState, nowMs = NOW_MS) {
  const before = new Map(previous === undefined ? [] : [["age", previous]]);
  return evaluateAlarms({ alarms: [alarm], store, nowMs, previous: before }).get("age");
}

describe("a metric alarm", () => {
  it.each([
    ["GreaterThanOrEqualToThreshold", 599, "OK"],
    ["GreaterThanOrEqualToThreshold", 600, "ALARM"],
    ["GreaterThanThreshold", 600, "OK"],
    ["GreaterThanThreshold", 601, "ALARM"],
    ["LessThanOrEqualToThreshold", 600, "ALARM"],
    ["LessThanOrEqualToThreshold", 601, "OK"],
    ["LessThanThreshold", 600, "OK"],
    ["LessThanThreshold", 599, "ALARM"],
  ])("%s at %i is %s", (ComparisonOperator, value, state) => {
    expect(stateOf(alarmOf({ ComparisonOperator }), storeOf({ Age: [value] }))).toBe(state);
  });

  it.each([
    { values: [0, 700, 0], m: 1, n: 3, state: "ALARM", why: "one of the last three breaches" },
    { values: [700, 0, 0, 0], m: 1, n: 3, state: "OK", why: "the breach is too old" },
    { values: [700, 700, 0], m: 3, n: 3, state: "OK", why: "not all breach" },
    { values: [700, undefined, 700, 700], m: 3, n: 3, state: "ALARM", why: "a gap is bridged" },
  ])("$m of $n at $values is $state: $why", ({ values, m, n, state }) => {
    const alarm = alarmOf({ DatapointsToAlarm: m, EvaluationPeriods: n });
    expect(stateOf(alarm, storeOf({ Age: values }))).toBe(state);
  });

  it("needs all of EvaluationPeriods where DatapointsToAlarm is left out", () => {
    const alarm = alarmOf({ EvaluationPeriods: 2 });
    expect(stateOf(alarm, storeOf({ Age: [0, 700] }))).toBe("OK");
    expect(stateOf(alarm, storeOf({ Age: [700, 700] }))).toBe("ALARM");
  });

  it.each([
    ["missing", "INSUFFICIENT_DATA"],
    ["ignore", "ALARM"],
    ["breaching", "ALARM"],
    ["notBreaching", "OK"],
    [undefined, "INSUFFICIENT_DATA"],
  ])("without data and with TreatMissingData %s goes from ALARM to %s", (treatment, state) => {
    const alarm = { ...alarmOf({}), ...(treatment && { TreatMissingData: treatment }) };
    expect(stateOf(alarm, createMetricStore(), "ALARM")).toBe(state);
  });

  it("keeps its state on a DynamoDB metric without data", () => {
    const alarm = alarmOf({ Namespace: "AWS/DynamoDB" });
    expect(stateOf(alarm, createMetricStore(), "OK")).toBe("OK");
  });

  it("does not look at the minute that still runs", () => {
    const store = storeOf({ Age: [0, 700] });
    expect(stateOf(alarmOf({}), store, undefined, NOW_MS - 1)).toBe("OK");
    expect(stateOf(alarmOf({}), store, undefined, NOW_MS)).toBe("ALARM");
    expect(stateOf(alarmOf({}), store, undefined, NOW_MS + MINUTE_MS - 1)).toBe("ALARM");
  });

  it("slides a period of several minutes along by the minute", () => {
    const alarm = alarmOf({ Period: 300, Statistic: "Sum", Threshold: 50 });
    const store = storeOf({ Age: [10, 10, 10, 10, 10] });
    expect(stateOf(alarm, store, undefined, NOW_MS)).toBe("ALARM");
    expect(stateOf(alarm, store, undefined, NOW_MS + MINUTE_MS)).toBe("OK");
  });

  it("watches a percentile", () => {
    const { Statistic: _, ...alarm } = alarmOf({ ExtendedStatistic: "p90", Threshold: 9 });
    const store = storeOf({});
    for (const value of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) record(store, "Age", [value]);
    expect(stateOf(alarm, store)).toBe("ALARM");
    expect(stateOf({ ...alarm, Threshold: 9.5 }, store)).toBe("OK");
  });

  it("sees nothing of a metric whose dimensions or unit differ", () => {
    const store = storeOf({ Age: [700] });
    const otherQueue = [{ Name: "QueueName", Value: "other.fifo" }];
    expect(stateOf(alarmOf({ Dimensions: otherQueue }), store)).toBe("INSUFFICIENT_DATA");
    expect(stateOf(alarmOf({ Dimensions: [] }), store)).toBe("INSUFFICIENT_DATA");
    expect(stateOf(alarmOf({ Unit: "Bytes" }), store)).toBe("INSUFFICIENT_DATA");
  });

  it("runs its minutes faster by the divisor", () => {
    const store = createMetricStore({ divisor: 12 });
    const datum = { namespace: "AWS/SQS", dimensions: { QueueName: "wallet.fifo" } };
    for (const [secondsAgo, value] of [
      [10, 0],
      [5, 700],
    ] as const) {
      const timestampMs = NOW_MS - secondsAgo * 1000;
      store.record({ ...datum, metricName: "Age", timestampMs, value });
    }
    expect(stateOf(alarmOf({}), store)).toBe("ALARM");
    expect(stateOf(alarmOf({ EvaluationPeriods: 2 }), store)).toBe("OK");
    expect(stateOf(alarmOf({}), store, undefined, NOW_MS - 1)).toBe("OK");
  });
});

describe("a metric math alarm", () => {
  const larger = mathAlarmOf("MAX([FILL(m1, 0), FILL(m2, 0)])", ["Age", "RetryingAge"], {
    DatapointsToAlarm: 1,
    EvaluationPeriods: 2,
  });

  it.each([
    { series: {}, state: "OK", why: "nothing was ever reported, and FILL makes it 0" },
    { series: { Age: [700] }, state: "ALARM", why: "one metric alone is enough" },
    { series: { RetryingAge: [700, undefined] }, state: "ALARM", why: "a gap does not clear it" },
    { series: { Age: [700, 0, 0], RetryingAge: [0, 0, 0] }, state: "OK", why: "the breach is old" },
    { series: { Age: [599], RetryingAge: [600] }, state: "ALARM", why: "the larger one counts" },
  ])("on the larger of two filled metrics is $state: $why", ({ series, state }) => {
    expect(stateOf(larger, storeOf(series))).toBe(state);
  });

  it("may build on another expression", () => {
    const alarm = mathAlarmOf("IF(e2 > 0, 700, 0)", ["Age", "Deleted"]);
    alarm.Metrics.push({
      Id: "e2",
      Expression: "m1 > 0 AND FILL(m2, 0) == 0",
      ReturnData: false,
    } as never);
    expect(stateOf(alarm, storeOf({ Age: [5], Deleted: [0] }))).toBe("ALARM");
    expect(stateOf(alarm, storeOf({ Age: [5], Deleted: [3] }))).toBe("OK");
  });

  it("without FILL has no data where its metric has none", () => {
    expect(stateOf(mathAlarmOf("m1 + 1", ["Age"]), storeOf({}))).toBe("INSUFFICIENT_DATA");
  });
});

describe("composite alarms", () => {
  const alarms = [
    alarmOf({ AlarmName: "age-warn", Threshold: 120 }),
    alarmOf({ AlarmName: "age-page", Threshold: 600 }),
  ];
  const composites = [
    { AlarmName: "warn", AlarmRule: 'ALARM("age-warn") AND NOT ALARM(page)' },
    { AlarmName: "page", AlarmRule: "ALARM(arn:aws:cloudwatch:us-east-1:1:alarm:age-page)" },
  ];

  it.each([
    { value: 0, warn: "OK", page: "OK" },
    { value: 120, warn: "ALARM", page: "OK" },
    { value: 600, warn: "OK", page: "ALARM" },
  ])("may name each other in any order: at $value warn is $warn, page $page", (row) => {
    const store = storeOf({ Age: [row.value] });
    const states = evaluateAlarms({ alarms, composites, store, nowMs: NOW_MS });
    expect([states.get("warn"), states.get("page")]).toEqual([row.warn, row.page]);
    expect([...states.keys()]).toEqual(["age-warn", "age-page", "warn", "page"]);
  });

  it("are OK, not INSUFFICIENT_DATA, while their alarms have no data", () => {
    const states = evaluateAlarms({ alarms, composites, store: storeOf({}), nowMs: NOW_MS });
    expect(states.get("age-warn")).toBe("INSUFFICIENT_DATA");
    expect(states.get("warn")).toBe("OK");
  });

  it.each([
    ["TRUE OR ALARM(gone)", "names `gone`, but there is no such alarm"],
    ["NOT ALARM(self)", "names `self`, but its rule leads to itself"],
  ])("are refused with the rule %s", (AlarmRule, message) => {
    const composite = { AlarmName: "self", AlarmRule };
    const input = { alarms, composites: [composite], store: storeOf({}), nowMs: NOW_MS };
    expect(() => evaluateAlarms(input)).toThrow(message);
  });
});

describe("alarm properties", () => {
  it.each([
    [{ AlarmName: undefined }, "AlarmName"],
    [{ Dimensions: [{ Name: "QueueName", Value: { Ref: "Queue" } }] }, "Dimensions.0.Value"],
    [{ Threshold: "600" }, "Threshold"],
    [{ EvaluationPeriods: 0 }, "EvaluationPeriods"],
    [{ EvaluationPeriods: 2, DatapointsToAlarm: 3 }, "at most EvaluationPeriods"],
    [{ TreatMissingData: "ignored" }, "TreatMissingData"],
    [{ ComparisonOperator: "GreaterThanUpperThreshold" }, "ComparisonOperator"],
    [{ Statistic: "TM(10%:90%)" }, "Statistic"],
    [{ Period: 61 }, "Expected a period"],
    [{ ThresholdMetricId: "ad1" }, "ThresholdMetricId: is not supported here"],
    [{ EvaluateLowSampleCountPercentile: "ignore" }, "EvaluateLowSampleCountPercentile"],
    [{ Metrics: [] }, "exactly one of Metrics"],
    [{ EvaluationPeriods: 1501 }, "metrics are kept for 1500"],
  ])("%o are refused by name", (fields, message) => {
    expect(() => stateOf(alarmOf(fields), storeOf({}))).toThrow(message);
  });

  it.each([
    ["m1 +", "got `the end`"],
    ["m7", "got `m7`"],
    ["expr_1", "refers to itself"],
    ["MAX(m1)", "one time series, got scalar"],
    ["[m1]", "one time series, got array"],
  ])("the expression %s is refused", (expression, message) => {
    expect(() => stateOf(mathAlarmOf(expression, ["Age"]), storeOf({}))).toThrow(message);
  });
});
