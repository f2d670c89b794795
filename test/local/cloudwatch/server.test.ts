import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
  DisableAlarmActionsCommand,
  EnableAlarmActionsCommand,
  GetMetricDataCommand,
  GetMetricStatisticsCommand,
  ListMetricsCommand,
  PutCompositeAlarmCommand,
  PutMetricAlarmCommand,
  type PutMetricAlarmCommandInput,
  PutMetricDataCommand,
  SetAlarmStateCommand,
} from "@aws-sdk/client-cloudwatch";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StateChange } from "../../../local/cloudwatch/alarm-transitions.ts";
import { type CloudWatch, startCloudWatch } from "../../../local/cloudwatch/server.ts";

const MINUTE_MS = 60_000;
const START_MS = 1_800_000_000_000;
const DIMENSIONS = [{ Name: "Backlog", Value: "wallet" }];

let nowMs: number;
let cloudWatch: CloudWatch;
let client: CloudWatchClient;
let changes: StateChange[];

beforeEach(async () => {
  nowMs = START_MS;
  changes = [];
  cloudWatch = await startCloudWatch({
    now: () => nowMs,
    onStateChange: (change) => changes.push(change),
  });
  client = new CloudWatchClient({ endpoint: cloudWatch.url, maxAttempts: 1 });
});

afterEach(async () => {
  client.destroy();
  await cloudWatch.close();
});

function at(minute: number) {
  return new Date(START_MS + minute * MINUTE_MS);
}

async function putAges(...ages: readonly number[]) {
  const MetricData = ages.map((Value, minute) => ({
    MetricName: "Age",
    Dimensions: DIMENSIONS,
    Timestamp: at(minute),
    Value,
    Unit: "Seconds" as const,
  }));
  await client.send(new PutMetricDataCommand({ Namespace: "Backlogorder", MetricData }));
}

const ageQuery = {
  Id: "age",
  MetricStat: {
    Metric: { Namespace: "Backlogorder", MetricName: "Age", Dimensions: DIMENSIONS },
    Period: 60,
    Stat: "Maximum",
  },
};

const ageAlarm: PutMetricAlarmCommandInput = {
  AlarmName: "age",
  AlarmDescription: "Oldest record",
  Namespace: "Backlogorder",
  MetricName: "Age",
  Dimensions: DIMENSIONS,
  Statistic: "Maximum",
  Period: 60,
  EvaluationPeriods: 1,
  Threshold: 600,
  ComparisonOperator: "GreaterThanOrEqualToThreshold",
  TreatMissingData: "notBreaching",
  AlarmActions: ["arn:aws:sns:us-east-1:000000000000:page"],
};

describe("metrics by the SDK", () => {
  it("come back as they were put, by GetMetricData with metric math", async () => {
    await putAges(5, 10);
    const { MetricDataResults } = await client.send(
      new GetMetricDataCommand({
        StartTime: at(0),
        EndTime: at(3),
        ScanBy: "TimestampAscending",
        MetricDataQueries: [
          ageQuery,
          { Id: "filled", Expression: "FILL(age, 0) * 2", Label: "twice" },
          { Id: "hidden", Expression: "age + 1", ReturnData: false },
        ],
      }),
    );
    expect(MetricDataResults).toEqual([
      {
        Id: "age",
        Label: "Age",
        StatusCode: "Complete",
        Timestamps: [at(0), at(1)],
        Values: [5, 10],
      },
      {
        Id: "filled",
        Label: "twice",
        StatusCode: "Complete",
        Timestamps: [at(0), at(1), at(2)],
        Values: [10, 20, 0],
      },
    ]);
  });

  it("come newest first unless asked otherwise", async () => {
    await putAges(5, 10);
    const { MetricDataResults } = await client.send(
      new GetMetricDataCommand({
        StartTime: at(0),
        EndTime: at(3),
        MetricDataQueries: [ageQuery],
      }),
    );
    expect(MetricDataResults?.[0]?.Values).toEqual([10, 5]);
  });

  it("come back by GetMetricStatistics, percentiles included", async () => {
    await putAges(5, 10);
    const { Label, Datapoints } = await client.send(
      new GetMetricStatisticsCommand({
        Namespace: "Backlogorder",
        MetricName: "Age",
        Dimensions: DIMENSIONS,
        StartTime: at(0),
        EndTime: at(5),
        Period: 300,
        Statistics: ["Sum", "Average", "SampleCount"],
        ExtendedStatistics: ["p99"],
      }),
    );
    expect(Label).toBe("Age");
    expect(Datapoints).toEqual([
      { Timestamp: at(0), Sum: 15, Average: 7.5, SampleCount: 2, ExtendedStatistics: { p99: 10 } },
    ]);
  });

  it("take values with counts, aggregates and, without a timestamp, the time of now", async () => {
    await client.send(
      new PutMetricDataCommand({
        Namespace: "Game",
        MetricData: [
          { MetricName: "Size", Values: [10, 20], Counts: [3, 1] },
          {
            MetricName: "Size",
            StatisticValues: { SampleCount: 2, Sum: 8, Minimum: 1, Maximum: 7 },
          },
        ],
      }),
    );
    const { Datapoints } = await client.send(
      new GetMetricStatisticsCommand({
        Namespace: "Game",
        MetricName: "Size",
        StartTime: at(0),
        EndTime: at(1),
        Period: 60,
        Statistics: ["Sum", "SampleCount", "Minimum", "Maximum"],
      }),
    );
    expect(Datapoints).toEqual([
      { Timestamp: at(0), Sum: 58, SampleCount: 6, Minimum: 1, Maximum: 20 },
    ]);
  });

  it("are listed by namespace, name and dimensions", async () => {
    await putAges(5);
    cloudWatch.record({
      namespace: "AWS/SQS",
      metricName: "Sent",
      dimensions: { QueueName: "q" },
      timestampMs: nowMs,
      value: 1,
    });
    const listed = async (filter: object) => {
      const { Metrics = [] } = await client.send(new ListMetricsCommand(filter));
      return Metrics.map(({ MetricName }) => MetricName);
    };
    expect(await listed({})).toEqual(["Age", "Sent"]);
    expect(await listed({ Namespace: "AWS/SQS" })).toEqual(["Sent"]);
    expect(await listed({ MetricName: "Age" })).toEqual(["Age"]);
    expect(await listed({ Dimensions: [{ Name: "Backlog" }] })).toEqual(["Age"]);
    expect(await listed({ Dimensions: [{ Name: "Backlog", Value: "x" }] })).toEqual([]);
  });

  it.each([
    [{ Timestamp: new Date(0), Value: 1 }, "between two weeks ago and in two hours"],
    [{ Value: 1, Values: [1] }, "Expected one of Value, Values and StatisticValues"],
    [{ Values: [1, 2], Counts: [1] }, "as many Counts as Values"],
  ])("are refused as InvalidParameterValue: %o", async (datum, message) => {
    const MetricData = [
      { MetricName: "Good", Value: 1 },
      { MetricName: "Bad", ...datum },
    ];
    const put = client.send(new PutMetricDataCommand({ Namespace: "Game", MetricData }));
    await expect(put).rejects.toMatchObject({
      name: "InvalidParameterValueException",
      message: expect.stringContaining(message),
    });
    expect((await client.send(new ListMetricsCommand({}))).Metrics).toEqual([]);
  });

  it.each([
    [{ Expression: "age +" }, "ValidationError"],
    [{ Expression: "MAX(age)" }, "ValidationError"],
    [{ Expression: undefined }, "InvalidParameterValue"],
  ])("refuse the query %o with %s", async (query, name) => {
    const get = client.send(
      new GetMetricDataCommand({
        StartTime: at(0),
        EndTime: at(1),
        MetricDataQueries: [ageQuery, { Id: "e1", ...query }],
      }),
    );
    await expect(get).rejects.toMatchObject({ name: expect.stringMatching(name.slice(0, 10)) });
  });
});

describe("log lines", () => {
  it("become metrics where they are in embedded metric format", async () => {
    const CloudWatchMetrics = [
      { Namespace: "Backlogorder", Dimensions: [["Backlog"]], Metrics: [{ Name: "Count" }] },
    ];
    const _aws = { Timestamp: START_MS, CloudWatchMetrics };
    cloudWatch.ingestLine(JSON.stringify({ _aws, Backlog: "wallet", Count: 9 }));
    cloudWatch.ingestLine("START RequestId: 1");
    const { Metrics } = await client.send(new ListMetricsCommand({}));
    expect(Metrics).toEqual([
      { Namespace: "Backlogorder", MetricName: "Count", Dimensions: DIMENSIONS },
    ]);
  });
});

describe("alarms by the SDK", () => {
  it("go into ALARM, tell who is notified, and describe themselves", async () => {
    await client.send(new PutMetricAlarmCommand(ageAlarm));
    await client.send(
      new PutCompositeAlarmCommand({ AlarmName: "page", AlarmRule: 'ALARM("age")' }),
    );
    await putAges(700);
    nowMs += MINUTE_MS;
    cloudWatch.evaluate();
    expect(changes).toEqual([
      {
        alarmName: "age",
        from: "INSUFFICIENT_DATA",
        to: "ALARM",
        actions: ageAlarm.AlarmActions,
        atMs: nowMs,
        reason:
          "1 of the last 1 datapoints [700] breached GreaterThanOrEqualToThreshold 600; 0 missing",
      },
      expect.objectContaining({ alarmName: "page", to: "ALARM", actions: [] }),
    ]);
    const AlarmTypes = ["MetricAlarm" as const, "CompositeAlarm" as const];
    const described = await client.send(new DescribeAlarmsCommand({ AlarmTypes }));
    expect(described.MetricAlarms).toEqual([
      expect.objectContaining({
        ...ageAlarm,
        StateValue: "ALARM",
        ActionsEnabled: true,
        AlarmArn: "arn:aws:cloudwatch:us-east-1:000000000000:alarm:age",
        StateUpdatedTimestamp: new Date(nowMs),
      }),
    ]);
    expect(described.CompositeAlarms).toMatchObject([
      { AlarmName: "page", AlarmRule: 'ALARM("age")', StateValue: "ALARM" },
    ]);
  });

  it("describe the metrics of an expression as they were put", async () => {
    const { Namespace: _, MetricName: __, Dimensions: ___, Statistic, Period, ...alarm } = ageAlarm;
    const Metrics = [
      { Id: "e1", Expression: "FILL(age, 0)", ReturnData: true },
      { ...ageQuery, ReturnData: false },
    ];
    await client.send(new PutMetricAlarmCommand({ ...alarm, Metrics }));
    const { MetricAlarms } = await client.send(new DescribeAlarmsCommand({}));
    expect(MetricAlarms?.[0]?.Metrics).toEqual(Metrics);
  });

  it("are found by name, prefix, state and type, page by page", async () => {
    for (const AlarmName of ["a1", "a2", "b1"]) {
      await client.send(new PutMetricAlarmCommand({ ...ageAlarm, AlarmName }));
    }
    await client.send(new PutCompositeAlarmCommand({ AlarmName: "c1", AlarmRule: "TRUE" }));
    await client.send(
      new SetAlarmStateCommand({ AlarmName: "a2", StateValue: "OK", StateReason: "drill" }),
    );
    const names = async (input: object) => {
      const { MetricAlarms = [], NextToken } = await client.send(new DescribeAlarmsCommand(input));
      return [...MetricAlarms.map(({ AlarmName }) => AlarmName), NextToken];
    };
    expect(await names({})).toEqual(["a1", "a2", "b1", undefined]);
    expect(await names({ AlarmNames: ["b1", "c1"] })).toEqual(["b1", undefined]);
    expect(await names({ AlarmNamePrefix: "a" })).toEqual(["a1", "a2", undefined]);
    expect(await names({ StateValue: "OK" })).toEqual(["a2", undefined]);
    expect(await names({ AlarmTypes: ["CompositeAlarm"] })).toEqual([undefined]);
    expect(await names({ MaxRecords: 2 })).toEqual(["a1", "a2", "2"]);
    expect(await names({ MaxRecords: 2, NextToken: "2" })).toEqual(["b1", undefined]);
    await expect(names({ NextToken: "x" })).rejects.toMatchObject({ name: "InvalidNextToken" });
  });

  it("are set by hand, switched and deleted, and keep a history", async () => {
    await client.send(new PutMetricAlarmCommand(ageAlarm));
    const AlarmNames = ["age"];
    const set = (StateValue: "OK" | "ALARM") =>
      client.send(new SetAlarmStateCommand({ AlarmName: "age", StateValue, StateReason: "drill" }));
    await client.send(new DisableAlarmActionsCommand({ AlarmNames }));
    await set("ALARM");
    await set("OK");
    await client.send(new EnableAlarmActionsCommand({ AlarmNames }));
    await set("ALARM");
    expect(changes.map(({ to, actions }) => [to, actions.length])).toEqual([
      ["ALARM", 0],
      ["OK", 0],
      ["ALARM", 1],
    ]);
    const { AlarmHistoryItems = [] } = await client.send(
      new DescribeAlarmHistoryCommand({ AlarmName: "age", HistoryItemType: "StateUpdate" }),
    );
    expect(AlarmHistoryItems.map(({ HistorySummary }) => HistorySummary)).toEqual([
      "Alarm updated from OK to ALARM",
      "Alarm updated from ALARM to OK",
      "Alarm updated from INSUFFICIENT_DATA to ALARM",
    ]);
    expect(AlarmHistoryItems[0]?.Timestamp).toEqual(new Date(nowMs));
    await client.send(new DeleteAlarmsCommand({ AlarmNames }));
    expect(cloudWatch.stateOf("age")).toBeUndefined();
  });

  it("are refused with the error that AWS gives", async () => {
    await expect(
      client.send(new PutMetricAlarmCommand({ ...ageAlarm, Period: 61 })),
    ).rejects.toMatchObject({ name: "ValidationException", $metadata: { httpStatusCode: 400 } });
    await expect(
      client.send(new PutCompositeAlarmCommand({ AlarmName: "page", AlarmRule: "ALARM(gone)" })),
    ).rejects.toMatchObject({ name: "ValidationException" });
    await expect(
      client.send(
        new SetAlarmStateCommand({ AlarmName: "gone", StateValue: "OK", StateReason: "drill" }),
      ),
    ).rejects.toMatchObject({ name: "ResourceNotFound", $metadata: { httpStatusCode: 404 } });
    await expect(
      client.send(new DeleteAlarmsCommand({ AlarmNames: ["gone"] })),
    ).rejects.toMatchObject({ name: "ResourceNotFound" });
  });
});

describe("the timer", () => {
  it("evaluates by itself once a shortened minute", { timeout: 30_000 }, async () => {
    const onStateChange = vi.fn<(change: StateChange) => void>();
    const fast = await startCloudWatch({ divisor: 600, onStateChange });
    fast.putAlarm(ageAlarm);
    const identity = { namespace: "Backlogorder", metricName: "Age" };
    const datum = { ...identity, dimensions: { Backlog: "wallet" }, value: 700 };
    const bound = { timeout: 10_000 };
    // Reported until it is seen, so that a slow machine cannot miss the one minute that has data.
    await vi.waitFor(() => {
      fast.record({ ...datum, timestampMs: Date.now() });
      expect(fast.stateOf("age")).toBe("ALARM");
    }, bound);
    await vi.waitFor(() => expect(fast.stateOf("age")).toBe("OK"), bound);
    expect(onStateChange.mock.calls.map(([{ to }]) => to).slice(-2)).toEqual(["ALARM", "OK"]);
    await fast.close();
  });
});
