import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { expect, it } from "vitest";
import { lockPartitions } from "../../lambdas/aws/ledger/partition-lock-item.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";
import { resourceOf, resourcesOf, synthesize } from "../infra/synthesized.ts";

const template = synthesize();
const source = resourceOf(template, "AWS::SQS::Queue", "Source");
const letters = resourceOf(template, "AWS::SQS::Queue", "Letters");
const ledger = resourceOf(template, "AWS::DynamoDB::GlobalTable", "Ledger");
const mappings = [...resourcesOf(template, "AWS::Lambda::EventSourceMapping").values()];
const policies = [...resourcesOf(template, "AWS::IAM::Policy")];

type Statement = { readonly Action: string | readonly string[]; readonly Resource: unknown };

function statementsOf(part: string): readonly Statement[] {
  return policies
    .filter(([id]) => id.includes(part))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement as Statement[]);
}

it("C05: asks for failures per message on the one mapping that there is", () => {
  expect(mappings.map(({ Properties }) => Properties.FunctionResponseTypes)).toEqual([
    ["ReportBatchItemFailures"],
  ]);
});

it("C12: gives the consumer no right to send to its own queue", () => {
  const sends = statementsOf("Consumer").filter(({ Action }) =>
    [Action].flat().some((action) => /^sqs:(SendMessage|\*)/.test(action)),
  );
  expect(sends.map(({ Resource }) => Resource)).toEqual([{ "Fn::GetAtt": [letters.id, "Arn"] }]);
});

it("C22: remembers what was applied for longer than a record and its letter can live", () => {
  const seconds = (part: "Source" | "Letters") =>
    resourceOf(template, "AWS::SQS::Queue", part).Properties.MessageRetentionPeriod;
  const { ledgerMemorySeconds } = settingsOf();
  expect(ledgerMemorySeconds).toBeGreaterThanOrEqual(seconds("Source") + seconds("Letters"));
  const tooShort = { sourceRetentionSeconds: 345_600, ledgerMemorySeconds: 1_555_200 };
  expect(() => synthesize(tooShort)).toThrow(/ledgerMemorySeconds.* = 1641600 and up/);
});

it("C37: refuses a deploy with another partition count and names both", async () => {
  const dynamo = mockClient(DynamoDBClient);
  dynamo.on(UpdateItemCommand).rejects(
    new ConditionalCheckFailedException({
      message: "The conditional request failed",
      $metadata: {},
      Item: { partitions: { N: "16" } },
    }),
  );
  const locked = lockPartitions(new DynamoDBClient({}), {
    table: "ledger",
    partitions: 17,
    backlog: "live",
  });
  await expect(locked).rejects.toThrow(/Expected 16 partitions, .* got 17/);
  dynamo.restore();
  const lock = resourceOf(template, "Custom::BacklogPartitions", "Lock");
  const consumer = resourceOf(template, "AWS::Lambda::Function", "Consumer");
  expect(consumer.DependsOn).toContain(lock.id);
});

it("C47: keeps letters as long as SQS can, and pages on age long before a record would expire", () => {
  expect(letters.Properties.MessageRetentionPeriod).toBe(1_209_600);
  const sourceSeconds = source.Properties.MessageRetentionPeriod;
  expect(sourceSeconds).toBeLessThanOrEqual(1_209_600);
  expect(settingsOf().pageAgeSeconds).toBeLessThanOrEqual(sourceSeconds / 2);
  expect(() => synthesize({ pageAgeSeconds: 8 * 86_400 })).toThrow(/pageAgeSeconds.* up to half/);
  expect(() => synthesize({ letterRetentionSeconds: 86_400 })).toThrow(/letterRetentionSeconds/);
});

it("C49: hides a record for six consumer timeouts, in two FIFO queues, with no window", () => {
  expect(source.Properties.VisibilityTimeout).toBe(360);
  for (const queue of [source, letters]) expect(queue.Properties.FifoQueue).toBe(true);
  const [mapping] = mappings;
  expect(mapping?.Properties).not.toHaveProperty("MaximumBatchingWindowInSeconds");
  expect(mapping?.Properties.BatchSize).toBe(10);
  const targets = [...resourcesOf(template, "AWS::SQS::Queue").values()].flatMap(
    ({ Properties }) => Properties.RedrivePolicy?.deadLetterTargetArn ?? [],
  );
  expect(targets).toEqual([{ "Fn::GetAtt": [letters.id, "Arn"] }]);
});

it.each([
  { given: { visibilityTimeoutSeconds: 30 }, expected: /`visibilityTimeoutSeconds` above/ },
  { given: { batchSize: 11 }, expected: /`batchSize` .* from 1 to 10, got `11`/ },
  { given: { batchSize: 0 }, expected: /`batchSize` .* from 1 to 10, got `0`/ },
])("C49: fails at synth for $given", ({ given, expected }) => {
  expect(() => synthesize(given)).toThrow(expected);
});

it("C50: keeps queues and ledger under the ids of earlier deploys, without names of their own", () => {
  expect([source.id, letters.id, ledger.id]).toMatchInlineSnapshot(`
    [
      "BacklogQueuesSourceD1E9BB24",
      "BacklogQueuesLettersFD060BE2",
      "BacklogLedgerAFD89EA0",
    ]
  `);
  expect(Object.keys(synthesize().toJSON()["Resources"])).toEqual(
    Object.keys(template.toJSON()["Resources"]),
  );
  for (const queue of [source, letters]) {
    expect(queue.Properties).not.toHaveProperty("QueueName");
    expect(queue.Properties.FifoQueue).toBe(true);
  }
});

it("C50: retains queues, save in a first deploy that is rolled back, and the protected ledger always", () => {
  const policies = [source, letters, ledger].map((kept) => kept.DeletionPolicy);
  expect(policies).toEqual(["RetainExceptOnCreate", "RetainExceptOnCreate", "Retain"]);
  for (const kept of [source, letters, ledger]) expect(kept.UpdateReplacePolicy).toBe("Retain");
});

it("C51: encrypts by SQS's own key, so that no role needs rights to one", () => {
  for (const queue of [source, letters]) {
    expect(queue.Properties.SqsManagedSseEnabled).toBe(true);
    expect(queue.Properties).not.toHaveProperty("KmsMasterKeyId");
  }
});

it("C51: lets nobody purge a queue", () => {
  const text = JSON.stringify(template.toJSON());
  expect(text).not.toContain("PurgeQueue");
  const actions = policies.flatMap(([, { Properties }]) =>
    (Properties.PolicyDocument.Statement as Statement[]).flatMap(({ Action }) => Action),
  );
  expect(actions.filter((action) => /^sqs:.*\*|^\*$/.test(action))).toEqual([]);
});
