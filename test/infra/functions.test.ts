import { expect, test } from "vitest";
import { fromEnvironment } from "../../lambdas/core/environment.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";
import { resourceOf, resourcesOf, synthesize } from "./synthesized.ts";

const template = synthesize();
const functions = [...resourcesOf(template, "AWS::Lambda::Function")].map(([id, resource]) => ({
  ...resource,
  id,
}));

test("there are six functions, the widget's only with the dashboard", () => {
  expect(functions).toHaveLength(6);
  const bare = synthesize({ dashboard: false });
  expect(resourcesOf(bare, "AWS::Lambda::Function").size).toBe(5);
});

test.each(functions)("$id runs on the current runtime, traced, with a log that ends", (each) => {
  expect(each.Properties).toMatchObject({
    Runtime: "nodejs24.x",
    Architectures: ["arm64"],
    TracingConfig: { Mode: "Active" },
  });
  expect(each.Properties).not.toHaveProperty("ReservedConcurrentExecutions");
  const log = resourceOf(
    template,
    "AWS::Logs::LogGroup",
    each.Properties.LoggingConfig.LogGroup.Ref,
  );
  expect(log.Properties.RetentionInDays).toBe(90);
});

test.each([
  { part: "Consumer", seconds: 60 },
  { part: "Replay", seconds: 900 },
  { part: "Snapshot", seconds: 50 },
  { part: "Lock", seconds: 60 },
])("$part may run for $seconds s", ({ part, seconds }) => {
  expect(resourceOf(template, "AWS::Lambda::Function", part).Properties.Timeout).toBe(seconds);
});

test("consumer, replay and snapshot read back the settings that the stack was given", () => {
  const given = { name: "raids", partitions: 16, maxAttempts: 5, backoffBaseSeconds: 0.5 };
  const other = synthesize(given);
  for (const part of ["Consumer", "Replay", "Snapshot"]) {
    const variables = resourceOf(other, "AWS::Lambda::Function", part).Properties.Environment
      .Variables;
    const asText = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        typeof value === "string" ? value : "a reference",
      ]),
    );
    expect(fromEnvironment(asText).settings).toEqual(settingsOf(given));
  }
});

test.each([
  { partitions: 1, concurrency: 2, why: "AWS takes no less than 2" },
  { partitions: 64, concurrency: 64, why: "one invocation for each partition" },
  { partitions: 5000, concurrency: 1000, why: "AWS takes no more than 1000" },
])("$partitions partitions are drained by up to $concurrency invocations: $why", (row) => {
  const mapping = resourceOf(
    synthesize({ partitions: row.partitions }),
    "AWS::Lambda::EventSourceMapping",
    "Mapping",
  );
  expect(mapping.Properties.ScalingConfig).toEqual({ MaximumConcurrency: row.concurrency });
});

test("the mapping answers per record, and has no batching window and no metrics of its own", () => {
  const { Properties } = resourceOf(template, "AWS::Lambda::EventSourceMapping", "Mapping");
  expect(Properties).toMatchObject({
    BatchSize: 10,
    FunctionResponseTypes: ["ReportBatchItemFailures"],
  });
  // Nothing reads them, and CloudWatch charges each.
  expect(Properties).not.toHaveProperty("MetricsConfig");
  expect(Properties).not.toHaveProperty("MaximumBatchingWindowInSeconds");
});

test.each(["Replay", "Snapshot"])("Lambda does not repeat a failed run of %s", (part) => {
  const config = resourceOf(template, "AWS::Lambda::EventInvokeConfig", part);
  expect(config.Properties.MaximumRetryAttempts).toBe(0);
});

test("no snapshot is caught up on: those that waited for room would come all at once", () => {
  const config = resourceOf(template, "AWS::Lambda::EventInvokeConfig", "Snapshot");
  expect(config.Properties.MaximumEventAgeInSeconds).toBe(60);
});

test("the snapshot runs every minute", () => {
  const rule = resourceOf(template, "AWS::Events::Rule", "Snapshot");
  const snapshot = resourceOf(template, "AWS::Lambda::Function", "Snapshot");
  expect(rule.Properties).toMatchObject({
    ScheduleExpression: "rate(1 minute)",
    State: "ENABLED",
    Targets: [{ Arn: { "Fn::GetAtt": [snapshot.id, "Arn"] } }],
  });
});
