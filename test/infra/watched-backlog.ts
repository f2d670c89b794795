import { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Topic } from "aws-cdk-lib/aws-sns";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { Alarms } from "../../infra/alarms/alarms.ts";
import type { AlertLevel, AlertPolicy } from "../../lambdas/core/alert-policy.ts";
import { type AlarmState, evaluateAlarms } from "../../local/cloudwatch/evaluate-alarms.ts";
import { createMetricStore, type MetricStore } from "../../local/cloudwatch/metric-store.ts";
import { valueResolver } from "./resolved.ts";
import { type Resource, resourcesOf, testApp } from "./synthesized.ts";

/** What was reported in one minute; absent = nothing. Times in seconds. */
export type Minute = {
  /** SQS's age of the oldest message. */
  readonly age?: number;
  readonly visible?: number;
  readonly inFlight?: number;
  readonly delayed?: number;
  readonly deleted?: number;
  /** SQS's gauge of the dead-letter queue. */
  readonly lettersVisible?: number;
  readonly errors?: number;
  readonly throttles?: number;
  /** Of the snapshot function; `none` = it did not run. */
  readonly snapshot?: "none" | Snapshot;
};

type Snapshot = {
  readonly retryingAge?: number;
  readonly letters?: number;
  readonly discarded?: number;
  readonly nearestExpiry?: number;
};

/** The synthesized alarms of one backlog. */
export type WatchedBacklog = {
  readonly alarms: readonly unknown[];
  readonly composites: readonly unknown[];
};

/** Synthesizes the alarms of each policy: one app with a stack for each. */
export function watchedBacklogs(policies: readonly AlertPolicy[]): readonly WatchedBacklog[] {
  const app = testApp();
  const stacks = policies.map((policy, index) => {
    const stack = new Stack(app, `Policy${index}`);
    const queue = (name: string) =>
      Queue.fromQueueArn(stack, name, `arn:aws:sqs:us-east-1:123456789012:${name}.fifo`);
    const topic = (name: string) =>
      Topic.fromTopicArn(stack, name, `arn:aws:sns:us-east-1:123456789012:${name}`);
    new Alarms(stack, "Alarms", {
      backlog: "raids",
      policy,
      source: queue("source"),
      letters: queue("letters"),
      consumer: LambdaFunction.fromFunctionArn(
        stack,
        "Consumer",
        "arn:aws:lambda:us-east-1:123456789012:function:consumer",
      ),
      visibilityTimeoutSeconds: 360,
      letterRetentionSeconds: LETTER_RETENTION_SECONDS,
      runbook: "docs/runbook.md",
      topics: { page: topic("page"), warn: topic("warn") },
    });
    return stack;
  });
  return stacks.map((stack) => watchedBy(Template.fromStack(stack)));
}

/** State of each alarm, by the end of its name, after minutes that followed each other. */
export function statesAfter(
  { alarms, composites }: WatchedBacklog,
  minutes: readonly Minute[],
): Readonly<Record<string, AlarmState>> {
  const store = createMetricStore();
  for (const [index, minute] of minutes.entries()) report(store, START_MS + index * 60_000, minute);
  const nowMs = START_MS + minutes.length * 60_000;
  return byEnding(evaluateAlarms({ alarms, composites, store, nowMs }));
}

function byEnding(states: ReadonlyMap<string, AlarmState>): Readonly<Record<string, AlarmState>> {
  return Object.fromEntries(
    [...states].map(([name, state]) => [name.replace("backlogorder-raids-", ""), state]),
  );
}

/** States of each alarm after each of the minutes, by the end of its name. */
export function statesThrough(
  { alarms, composites }: WatchedBacklog,
  minutes: readonly Minute[],
): readonly Readonly<Record<string, AlarmState>>[] {
  const store = createMetricStore();
  let previous: ReadonlyMap<string, AlarmState> = new Map();
  return minutes.map((minute, index) => {
    report(store, START_MS + index * 60_000, minute);
    const nowMs = START_MS + (index + 1) * 60_000;
    previous = evaluateAlarms({ alarms, composites, store, nowMs, previous });
    return byEnding(previous);
  });
}

/** The level of which the composites speak. */
export function levelAfter(watched: WatchedBacklog, minutes: readonly Minute[]): AlertLevel {
  const { page, warn } = statesAfter(watched, minutes);
  if (page === "ALARM") return "page";
  return warn === "ALARM" ? "warn" : "ok";
}

/** `minute`, `times` times. */
export function lasting(times: number, minute: Minute): readonly Minute[] {
  return Array.from({ length: times }, () => minute);
}

const LETTER_RETENTION_SECONDS = 14 * 86_400;
const START_MS = Date.UTC(2026, 0, 5, 12);

function watchedBy(template: Template): WatchedBacklog {
  const resolve = valueResolver(template);
  const properties = (type: string): readonly unknown[] =>
    [...resourcesOf(template, type).values()].map((resource: Resource) =>
      resolve(resource.Properties),
    );
  return {
    alarms: properties("AWS::CloudWatch::Alarm"),
    composites: properties("AWS::CloudWatch::CompositeAlarm"),
  };
}

function report(store: MetricStore, timestampMs: number, minute: Minute): void {
  const source = { namespace: "AWS/SQS", dimensions: { QueueName: "source.fifo" } };
  const letters = { namespace: "AWS/SQS", dimensions: { QueueName: "letters.fifo" } };
  const consumer = { namespace: "AWS/Lambda", dimensions: { FunctionName: "consumer" } };
  const backlog = { namespace: "Backlogorder", dimensions: { Backlog: "raids" } };
  const values = [
    { ...source, metricName: "ApproximateAgeOfOldestMessage", value: minute.age },
    { ...source, metricName: "ApproximateNumberOfMessagesVisible", value: minute.visible },
    { ...source, metricName: "ApproximateNumberOfMessagesNotVisible", value: minute.inFlight },
    { ...source, metricName: "ApproximateNumberOfMessagesDelayed", value: minute.delayed },
    { ...source, metricName: "NumberOfMessagesDeleted", value: minute.deleted },
    { ...letters, metricName: "ApproximateNumberOfMessagesVisible", value: minute.lettersVisible },
    { ...consumer, metricName: "Errors", value: minute.errors },
    { ...consumer, metricName: "Throttles", value: minute.throttles },
    ...snapshotOf(minute).map((told) => ({ ...backlog, ...told })),
  ];
  for (const { value, ...metric } of values) {
    if (value !== undefined) store.record({ ...metric, value, timestampMs });
  }
}

type Told = { readonly metricName: string; readonly value: number | undefined };

/** What the snapshot function tells of a minute in which it runs. */
function snapshotOf({ snapshot = {}, visible, inFlight, delayed }: Minute): readonly Told[] {
  if (snapshot === "none") return [];
  const { retryingAge = 0, letters = 0, discarded = 0, nearestExpiry } = snapshot;
  const noLetters = letters === 0 ? LETTER_RETENTION_SECONDS : undefined;
  return [
    { metricName: "Count", value: (visible ?? 0) + (inFlight ?? 0) + (delayed ?? 0) },
    { metricName: "OldestRetryingAge", value: retryingAge },
    { metricName: "Letters", value: letters },
    { metricName: "Discarded", value: discarded },
    { metricName: "NearestExpiry", value: nearestExpiry ?? noLetters },
  ];
}
