import { expect, test } from "vitest";
import { CONSUMER_METRICS, SNAPSHOT_METRICS } from "../../lambdas/core/metrics.ts";
import { valueResolver } from "./resolved.ts";
import { resourceOf, resourcesOf, synthesize } from "./synthesized.ts";

type Widget = {
  readonly type: string;
  readonly width: number;
  readonly properties: {
    readonly title: string;
    readonly metrics?: readonly unknown[];
    readonly alarms?: readonly string[];
    readonly annotations?: { readonly horizontal: readonly { readonly value: number }[] };
  };
};

const template = synthesize({ name: "raids", warnAgeSeconds: 90, pageAgeSeconds: 300 });
const widgets = widgetsOf(template);

test("one dashboard, called after the backlog", () => {
  const { Properties } = resourceOf(template, "AWS::CloudWatch::Dashboard", "Dashboard");
  expect(Properties.DashboardName).toBe("backlogorder-raids");
});

test("shows every metric that consumer and snapshot emit, and SQS's own count", () => {
  const shown = JSON.stringify(widgets);
  const { count: _, ...snapshot } = SNAPSHOT_METRICS;
  for (const metric of Object.values({ ...CONSUMER_METRICS, ...snapshot })) {
    expect(shown).toContain(`"Backlogorder","${metric}","Backlog","raids"`);
  }
});

test.each([
  "ApproximateAgeOfOldestMessage",
  "ApproximateNumberOfMessagesVisible",
  "Errors",
  "Throttles",
  "Duration",
  "ConcurrentExecutions",
  "ReadThrottleEvents",
  "WriteThrottleEvents",
])("shows AWS's own metric %s", (metric) => {
  expect(JSON.stringify(widgets)).toContain(`"${metric}"`);
});

test("draws the policy's lines over the age, and none that is off", () => {
  expect(linesOf(widgets, "Age of the oldest record")).toEqual([90, 300]);
  expect(linesOf(widgets, "Waiting records")).toEqual([10_000]);
  const off = widgetsOf(synthesize({ warnAgeSeconds: 0, pageAgeSeconds: 0, maxCount: 0 }));
  expect(linesOf(off, "Age of the oldest record")).toEqual([]);
  expect(linesOf(off, "Waiting records")).toEqual([]);
});

test("lists every alarm of the stack", () => {
  const [status] = widgets.filter(({ type }) => type === "alarm");
  const alarms = ["AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm"].flatMap((type) => [
    ...resourcesOf(template, type).values(),
  ]);
  const names = status?.properties.alarms?.map((arn) => arn.split(":alarm:")[1]);
  expect(names?.toSorted()).toEqual(
    alarms.map(({ Properties }) => Properties.AlarmName).toSorted(),
  );
});

test("shows who is blocked by a function that viewers may call", () => {
  const widget = resourceOf(template, "AWS::Lambda::Function", "Widget");
  const [custom] = widgets.filter(({ type }) => type === "custom");
  expect(custom?.properties).toMatchObject({
    title: "Who is blocked, and dead letters by reason",
    endpoint: `${widget.id}.Arn`,
  });
  const viewer = resourceOf(template, "AWS::IAM::ManagedPolicy", "Viewer");
  expect(viewer.Properties.PolicyDocument.Statement).toContainEqual({
    Effect: "Allow",
    Action: "lambda:InvokeFunction",
    Resource: { "Fn::GetAtt": [widget.id, "Arn"] },
  });
});

test("its buttons call the replay function, which the widget itself may not", () => {
  const { Environment } = resourceOf(template, "AWS::Lambda::Function", "Widget").Properties;
  const replay = resourceOf(template, "AWS::Lambda::Function", "Replay");
  expect(Environment.Variables.REPLAY_FUNCTION_ARN).toEqual({ "Fn::GetAtt": [replay.id, "Arn"] });
  const policy = resourceOf(template, "AWS::IAM::Policy", "WidgetRole");
  expect(JSON.stringify(policy.Properties.PolicyDocument)).not.toContain("lambda:");
});

test("is left out where it is not wanted", () => {
  expect(resourcesOf(synthesize({ dashboard: "false" }), "AWS::CloudWatch::Dashboard").size).toBe(
    0,
  );
});

function widgetsOf(from: typeof template): readonly Widget[] {
  const { Properties } = resourceOf(from, "AWS::CloudWatch::Dashboard", "Dashboard");
  return JSON.parse(String(valueResolver(from)(Properties.DashboardBody))).widgets;
}

function linesOf(shown: readonly Widget[], title: string): readonly number[] {
  const found = shown.find(({ properties }) => properties.title.startsWith(title));
  expect(found).toBeDefined();
  return (found?.properties.annotations?.horizontal ?? []).map(({ value }) => value);
}
