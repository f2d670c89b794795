import { expect, test } from "vitest";
import { type Resource, synthesize } from "./synthesized.ts";

const template = synthesize({ pageMail: "on-call@example.com", encryptTopics: true });
const resources = Object.entries(template.toJSON()["Resources"] as Record<string, Resource>);

/** Properties by which a resource is given a name of our own. */
const NAMES = [
  "AlarmName",
  "DashboardName",
  "FunctionName",
  "LogGroupName",
  "ManagedPolicyName",
  "Name",
  "QueueName",
  "RoleName",
  "TableName",
  "TopicName",
];

const isKept = ({ DeletionPolicy = "Delete" }: Resource): boolean =>
  DeletionPolicy.startsWith("Retain");

const isNamed = ({ Type, Properties = {} }: Resource): boolean =>
  // The lock's TableName is the name of another resource.
  !Type.startsWith("Custom::") && NAMES.some((name) => name in Properties);

test("a destroy leaves queues with their policies, tables and logs, and nothing else", () => {
  const kept = resources.filter(([, resource]) => isKept(resource)).map(([, { Type }]) => Type);
  expect(Object.fromEntries(Map.groupBy(kept, (type) => type))).toEqual({
    "AWS::SQS::Queue": expect.toSatisfy((queues: unknown[]) => queues.length === 2),
    "AWS::SQS::QueuePolicy": expect.toSatisfy((policies: unknown[]) => policies.length === 2),
    "AWS::DynamoDB::GlobalTable": expect.toSatisfy((tables: unknown[]) => tables.length === 2),
    "AWS::Logs::LogGroup": expect.toSatisfy((logs: unknown[]) => logs.length >= 4),
  });
});

test("what is left has no name of ours, so that a later deploy of the same backlog can be made", () => {
  const inTheWay = resources.filter(([, resource]) => isKept(resource) && isNamed(resource));
  expect(inTheWay.map(([id]) => id)).toEqual([]);
  expect(resources.filter(([, resource]) => isNamed(resource)).length).toBeGreaterThan(10);
});

test("a first deploy that fails takes all back but the protected ledger, and can be tried again", () => {
  const stays = resources.filter(([, { DeletionPolicy }]) => DeletionPolicy === "Retain");
  expect(stays.map(([id]) => id)).toEqual([expect.stringMatching(/^BacklogLedger/)]);
});

test("no update deletes a store: what CloudFormation would replace is kept", () => {
  const stores = resources.filter(([, { Type }]) => /Queue$|GlobalTable$/.test(Type));
  expect(stores).toHaveLength(4);
  for (const [, { UpdateReplacePolicy }] of stores) expect(UpdateReplacePolicy).toBe("Retain");
});
