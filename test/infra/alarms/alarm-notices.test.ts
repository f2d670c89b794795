import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { valueResolver } from "../resolved.ts";
import { resourcesOf, synthesize } from "../synthesized.ts";

const template = synthesize({
  pageMail: "on-call@example.com",
  runbook: "https://example.com/runbook",
});
const resolve = valueResolver(template);
const metricAlarms = [...resourcesOf(template, "AWS::CloudWatch::Alarm").values()];
const composites = [...resourcesOf(template, "AWS::CloudWatch::CompositeAlarm").values()];
const named = [...metricAlarms, ...composites].map(({ Properties }) => ({
  name: String(Properties.AlarmName).replace("backlogorder-backlog-", ""),
  description: String(resolve(Properties.AlarmDescription)),
}));

test.each(named)("$name says what is wrong, what to run, and links to its section", (alarm) => {
  expect(alarm.description).toMatch(
    /^[A-Z].*\. .*\. Run: `.*`\. Runbook: https:\/\/example.com\/runbook#/,
  );
  expect(alarm.description.endsWith(`#${alarm.name}`)).toBe(true);
  expect(alarm.description.length).toBeLessThanOrEqual(1024);
});

test("the runbook has a section for each alarm, with Means, Look and Do", () => {
  const text = readFileSync(new URL("../../../docs/runbook.md", import.meta.url), "utf8");
  const sections = text.split(/^## /m).slice(1);
  const bySection = new Map(sections.map((section) => [section.split("\n")[0] ?? "", section]));
  for (const { name } of named) {
    for (const part of ["**Means.**", "**Look.**", "**Do.**"]) {
      expect(bySection.get(name), name).toContain(part);
    }
  }
});

test("every metric alarm says what missing data means, and leaves speaking to the composites", () => {
  for (const { Properties } of metricAlarms) {
    expect(["notBreaching", "ignore"]).toContain(Properties.TreatMissingData);
    expect(Properties).not.toHaveProperty("AlarmActions");
  }
});

test("CloudWatch accepts every alarm's window: at most a day of minutes", () => {
  for (const { Properties } of metricAlarms) {
    expect(Properties.EvaluationPeriods).toBeLessThanOrEqual(1440);
    expect(Properties.DatapointsToAlarm).toBeLessThanOrEqual(Properties.EvaluationPeriods);
  }
});

test("page and warn speak to their own topics, which CloudWatch may publish to over TLS only", () => {
  const topics = resourcesOf(template, "AWS::SNS::Topic");
  expect(topics.size).toBe(2);
  const actions = composites.map(({ Properties }) => Properties.AlarmActions[0].Ref);
  expect(new Set(actions)).toEqual(new Set(topics.keys()));
  for (const { Properties } of resourcesOf(template, "AWS::SNS::TopicPolicy").values()) {
    expect(Properties.PolicyDocument.Statement).toEqual([
      expect.objectContaining({
        Effect: "Deny",
        Condition: { Bool: { "aws:SecureTransport": "false" } },
      }),
      expect.objectContaining({
        Effect: "Allow",
        Action: "sns:Publish",
        Principal: { Service: "cloudwatch.amazonaws.com" },
      }),
    ]);
  }
});

test("a mail subscribes to pages, and a topic that is given takes the place of ours", () => {
  const [subscription] = resourcesOf(template, "AWS::SNS::Subscription").values();
  expect(subscription?.Properties).toMatchObject({
    Protocol: "email",
    Endpoint: "on-call@example.com",
  });
  const arn = "arn:aws:sns:us-east-1:123456789012:on-call";
  const given = synthesize({ pageTopicArn: arn, warnTopicArn: arn });
  expect(resourcesOf(given, "AWS::SNS::Topic").size).toBe(0);
  for (const { Properties } of resourcesOf(given, "AWS::CloudWatch::CompositeAlarm").values()) {
    expect(Properties.AlarmActions).toEqual([arn]);
  }
});

test("encrypted topics have a key that CloudWatch may use for this account's alarms", () => {
  const encrypted = synthesize({ encryptTopics: "true" });
  const [[id, key] = ["", undefined]] = resourcesOf(encrypted, "AWS::KMS::Key");
  expect(key?.Properties.EnableKeyRotation).toBe(true);
  expect(key?.Properties.KeyPolicy.Statement).toContainEqual({
    Sid: "AllowAlarms",
    Effect: "Allow",
    Principal: { Service: "cloudwatch.amazonaws.com" },
    Action: ["kms:Decrypt", "kms:GenerateDataKey*"],
    Resource: "*",
    Condition: { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } },
  });
  for (const { Properties } of resourcesOf(encrypted, "AWS::SNS::Topic").values()) {
    expect(Properties.KmsMasterKeyId).toEqual({ "Fn::GetAtt": [id, "Arn"] });
  }
});

test("no key is paid for unless a topic of ours is to be encrypted", () => {
  const arn = "arn:aws:sns:us-east-1:123456789012:on-call";
  const given = { pageTopicArn: arn, warnTopicArn: arn, encryptTopics: true };
  expect(resourcesOf(template, "AWS::KMS::Key").size).toBe(0);
  expect(resourcesOf(synthesize(given), "AWS::KMS::Key").size).toBe(0);
});
