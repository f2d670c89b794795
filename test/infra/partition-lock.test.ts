import { expect, test } from "vitest";
import { type Resource, resourceOf, resourcesOf, synthesize } from "./synthesized.ts";

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

test("all of the backlog waits for the lock, but for what the lock itself needs", () => {
  const whole = synthesize({ generation: 2, allowEdit: true, encryptTopics: true });
  const waiting = Object.entries(whole.toJSON()["Resources"] as Record<string, Resource>).filter(
    ([id]) => id.startsWith("Backlog") && !/^Backlog(Lock|Ledger)/.test(id),
  );
  expect(new Set(waiting.map(([, { Type }]) => Type)).size).toBeGreaterThan(12);
  const [lockId = ""] = resourcesOf(whole, "Custom::BacklogPartitions").keys();
  const early = waiting.filter(([, { DependsOn = [] }]) => ![DependsOn].flat().includes(lockId));
  expect(early.map(([id]) => id)).toEqual([]);
});

test("an import of the stores, which knows of nothing else, finds nothing else named in them", () => {
  const importing = synthesize({ importing: true });
  const stores = ["AWS::SQS::Queue", "AWS::DynamoDB::GlobalTable"].flatMap((type) => [
    ...resourcesOf(importing, type),
  ]);
  const ids = new Set(stores.map(([id]) => id));
  expect(ids.size).toBe(4);
  const named = stores.flatMap(([, { Properties, DependsOn = [] }]) => [
    ...[DependsOn].flat(),
    ...[...JSON.stringify(Properties).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(?!AWS::)(\w+)/g)].map(
      ([, id = ""]) => id,
    ),
  ]);
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
  const queues = resourcesOf(template, "AWS::SQS::Queue");
  for (const { DependsOn } of queues.values()) expect(DependsOn).toContain(lock.id);
});

test("the lock's function may already write when it is asked", () => {
  const { DependsOn } = resourceOf(template, "AWS::Lambda::Function", "Lock");
  expect(DependsOn).toContain(resourceOf(template, "AWS::IAM::Policy", "Lock").id);
});
