import { expect, it } from "vitest";
import { createMetricStore } from "../../local/cloudwatch/metric-store.ts";
import { stateOfDatapoints } from "../../local/cloudwatch/missing-data.ts";
import { valueResolver } from "../infra/resolved.ts";
import { resourceOf, resourcesOf, synthesize } from "../infra/synthesized.ts";
import {
  lasting,
  levelAfter,
  type Minute,
  statesAfter,
  watchedBacklogs,
} from "../infra/watched-backlog.ts";

const template = synthesize();
const source = resourceOf(template, "AWS::SQS::Queue", "Source");
const letters = resourceOf(template, "AWS::SQS::Queue", "Letters");
const alarms = [...resourcesOf(template, "AWS::CloudWatch::Alarm").values()].map(
  ({ Properties }) => Properties,
);
const [watched] = watchedBacklogs([{ warnAgeMs: 120_000, pageAgeMs: 300_000, maxCount: 100 }]) as [
  ReturnType<typeof watchedBacklogs>[number],
];

const named = (name: string) => {
  const found = alarms.find(({ AlarmName }) => AlarmName.endsWith(name));
  if (found === undefined) throw new Error(`expected an alarm ${name}`);
  return found;
};

it("C43: raises at the threshold itself, and letters from the first one", () => {
  const rising = alarms.filter(({ AlarmName }) => !AlarmName.endsWith("letter-expiry"));
  expect(new Set(rising.map(({ ComparisonOperator }) => ComparisonOperator))).toEqual(
    new Set(["GreaterThanOrEqualToThreshold"]),
  );
  expect(named("-letters").Threshold).toBe(1);
  expect(levelAfter(watched, [{ lettersVisible: 1 }])).toBe("warn");
});

it("C44: watches the letters by the gauge of what is visible, at its maximum", () => {
  const { Metrics } = named("-letters");
  const stats = Metrics.flatMap(
    ({ MetricStat = [] }: { readonly MetricStat?: unknown }) => MetricStat,
  );
  const resolve = valueResolver(template);
  expect(resolve(stats)).toContainEqual(
    expect.objectContaining({
      Metric: expect.objectContaining({
        MetricName: "ApproximateNumberOfMessagesVisible",
        Dimensions: [{ Name: "QueueName", Value: `${letters.id}.QueueName` }],
      }),
      Stat: "Maximum",
    }),
  );
});

it("C44: lets nothing consume the letters by itself", () => {
  const mappings = [...resourcesOf(template, "AWS::Lambda::EventSourceMapping").values()];
  expect(mappings.map(({ Properties }) => Properties.EventSourceArn)).toEqual([
    { "Fn::GetAtt": [source.id, "Arn"] },
  ]);
});

it.each([
  { samples: [2, 4, 6, 5, 0], Maximum: 6, Sum: 17 },
  { samples: [1, 1, 1, 1, 1], Maximum: 1, Sum: 5 },
])("C44: $samples of five minutes are $Maximum, where a sum would be $Sum", (row) => {
  const store = createMetricStore();
  const metric = { namespace: "AWS/SQS", metricName: "letters", dimensions: {} };
  for (const [minute, value] of row.samples.entries()) {
    store.record({ ...metric, value, timestampMs: minute * 60_000 });
  }
  const grid = { startMs: 0, periodMs: 300_000, count: 1 };
  for (const statistic of ["Maximum", "Sum"] as const) {
    expect(store.series({ ...metric, statistic }, grid)).toEqual([row[statistic]]);
  }
});

it("C45: one breach and then silence is an alarm and then none", () => {
  const rules = {
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    treatMissingData: "notBreaching",
  } as const;
  expect(stateOfDatapoints([true], rules)).toBe("ALARM");
  expect(stateOfDatapoints([undefined, undefined, undefined], rules)).toBe("OK");
});

it("C45: 3 of 5 minutes are one alarm where 1 of 1 would change at each try", () => {
  const breaches = [310, 290, 310, 290, 310].map((age) => age >= 300);
  const treatMissingData = "notBreaching";
  const fiveMinutes = { evaluationPeriods: 5, datapointsToAlarm: 3, treatMissingData } as const;
  expect(stateOfDatapoints(breaches, fiveMinutes)).toBe("ALARM");
  const oneMinute = { evaluationPeriods: 1, datapointsToAlarm: 1, treatMissingData } as const;
  const states = breaches.map((_, index) =>
    stateOfDatapoints(breaches.slice(0, index + 1), oneMinute),
  );
  expect(states).toEqual(["ALARM", "OK", "ALARM", "OK", "ALARM"]);
});

it("C45: an age that comes and goes between two tries is one alarm, by 1 of N minutes", () => {
  const flapping = [310, 290, 310, 290, 310].map(
    (age): Minute => ({ age, visible: 1, deleted: 1 }),
  );
  const levels = flapping.map((_, index) => levelAfter(watched, flapping.slice(0, index + 1)));
  expect(levels).toEqual(["page", "page", "page", "page", "page"]);
});

it("C45: a queue that is idle from the start never pages", () => {
  for (const minutes of [1, 5, 60]) {
    expect(levelAfter(watched, lasting(minutes, {}))).toBe("ok");
  }
  const page = resourcesOf(template, "AWS::CloudWatch::CompositeAlarm");
  const actions = [...page.values()].find(({ Properties }) =>
    Properties.AlarmName.endsWith("-page"),
  );
  expect(actions?.Properties.OKActions).toHaveLength(1);
});

it("C47: pages by age for three records behind a consumer that stopped, where the count is silent", () => {
  const stopped = lasting(6, { age: 300, visible: 3, deleted: 0 });
  expect(levelAfter(watched, stopped)).toBe("page");
  expect(statesAfter(watched, stopped)).toMatchObject({ "page-age": "ALARM", "warn-count": "OK" });
});

it("C47: watches how long letters have left, never how old they are", () => {
  const ages = alarms.filter(
    (alarm) =>
      JSON.stringify(alarm).includes("ApproximateAgeOfOldestMessage") &&
      JSON.stringify(alarm).includes(letters.id),
  );
  expect(ages).toEqual([]);
  expect(named("letter-expiry").Threshold).toBe(4 * 86_400);
});
