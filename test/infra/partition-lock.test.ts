import { expect, test } from "vitest";
import { resourceOf, resourcesOf, synthesize } from "./synthesized.ts";

const template = synthesize({ partitions: 32 });
const lock = resourceOf(template, "Custom::BacklogPartitions", "Lock");

test("the lock holds the count, the name and the table, and asks its function directly", () => {
  expect(lock.Properties).toEqual({
    ServiceToken: {
      "Fn::GetAtt": [resourceOf(template, "AWS::Lambda::Function", "Lock").id, "Arn"],
    },
    ServiceTimeout: "600",
    Partitions: 32,
    Backlog: "backlog",
    TableName: { Ref: resourceOf(template, "AWS::DynamoDB::GlobalTable", "Ledger").id },
  });
});

test.each([
  "AWS::Lambda::Function",
  "AWS::Lambda::EventSourceMapping",
  "AWS::SSM::Parameter",
  "AWS::Events::Rule",
  "AWS::CloudWatch::Alarm",
  "AWS::CloudWatch::CompositeAlarm",
])("every %s that acts on the count or carries the name waits for the lock", (type) => {
  const waiting = [...resourcesOf(template, type)].filter(([id]) => !id.includes("Lock"));
  expect(waiting.length).toBeGreaterThan(0);
  for (const [, { DependsOn }] of waiting) expect(DependsOn).toContain(lock.id);
});

test("the lock's function may already write when it is asked", () => {
  const { DependsOn } = resourceOf(template, "AWS::Lambda::Function", "Lock");
  expect(DependsOn).toContain(resourceOf(template, "AWS::IAM::Policy", "Lock").id);
});
