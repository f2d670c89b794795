import { expect, test } from "vitest";
import { OPEN_INDEX } from "../../infra/ledger-table.ts";
import { OPEN_INDEX as INDEX_AT_RUN_TIME } from "../../lambdas/aws/ledger/ledger-keys.ts";
import { resourceOf, resourcesOf, synthesize } from "./synthesized.ts";

const template = synthesize();

const source = resourceOf(template, "AWS::SQS::Queue", "Source");
const letters = resourceOf(template, "AWS::SQS::Queue", "Letters");
const ledger = resourceOf(template, "AWS::DynamoDB::GlobalTable", "Ledger");

test.each([source, letters])(
  "$id is a high-throughput FIFO queue that trusts no content",
  (queue) => {
    expect(queue.Properties).toMatchObject({
      FifoQueue: true,
      ContentBasedDeduplication: false,
      DeduplicationScope: "messageGroup",
      FifoThroughputLimit: "perMessageGroupId",
      MaximumMessageSize: 1_048_576,
      MessageRetentionPeriod: 1_209_600,
      SqsManagedSseEnabled: true,
    });
  },
);

test.each([source, letters])("$id refuses connections without TLS", ({ id }) => {
  const policies = [...resourcesOf(template, "AWS::SQS::QueuePolicy").values()];
  const policy = policies.find(({ Properties }) => Properties.Queues[0].Ref === id);
  expect(policy?.Properties.PolicyDocument.Statement).toContainEqual({
    Effect: "Deny",
    Principal: { AWS: "*" },
    Action: "sqs:*",
    Resource: { "Fn::GetAtt": [id, "Arn"] },
    Condition: { Bool: { "aws:SecureTransport": "false" } },
  });
});

test.each([source, letters])(
  "$id outlives the stack, but not a first deploy that is rolled back",
  (queue) => {
    expect(queue).toMatchObject({
      DeletionPolicy: "RetainExceptOnCreate",
      UpdateReplacePolicy: "Retain",
    });
    expect(queue.Properties).not.toHaveProperty("QueueName");
  },
);

test("the source hides a record for six consumer timeouts and moves it only as a backstop", () => {
  expect(source.Properties.VisibilityTimeout).toBe(360);
  expect(source.Properties.RedrivePolicy).toEqual({
    deadLetterTargetArn: { "Fn::GetAtt": [letters.id, "Arn"] },
    // A day of total outage at one receive in 360 s; innocent waiting alone would need 50.
    maxReceiveCount: 240,
  });
});

test("nothing consumes the dead-letter queue by itself", () => {
  const mappings = [...resourcesOf(template, "AWS::Lambda::EventSourceMapping").values()];
  expect(mappings.map(({ Properties }) => Properties.EventSourceArn)).toEqual([
    { "Fn::GetAtt": [source.id, "Arn"] },
  ]);
});

test("the ledger forgets by expiresAt and is found by partition where a record is open", () => {
  expect(ledger.Properties).toMatchObject({
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    TimeToLiveSpecification: { AttributeName: "expiresAt", Enabled: true },
    GlobalSecondaryIndexes: [
      {
        IndexName: "open",
        KeySchema: [
          { AttributeName: "openPartition", KeyType: "HASH" },
          { AttributeName: "openOffset", KeyType: "RANGE" },
        ],
        Projection: { ProjectionType: "ALL" },
      },
    ],
  });
});

test("the functions look for the index that the stack creates", () => {
  expect(INDEX_AT_RUN_TIME).toBe(OPEN_INDEX);
});

test("the ledger is encrypted, recoverable, and survives stack and mistake", () => {
  expect(ledger.Properties.SSESpecification.SSEEnabled).toBe(true);
  expect(ledger.Properties.Replicas).toEqual([
    expect.objectContaining({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  ]);
  expect(ledger).toMatchObject({ DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" });
  expect(ledger.Properties).not.toHaveProperty("TableName");
});

test("two synths give the same logical ids, so that no deploy replaces a queue", () => {
  const ids = (from: typeof template) => Object.keys(from.toJSON()["Resources"]);
  expect(ids(synthesize({ partitions: 128, maxAttempts: 5 }))).toEqual(ids(template));
});

test("the wallet's table is there with the example's handler only", () => {
  const wallet = resourceOf(template, "AWS::DynamoDB::GlobalTable", "Wallet");
  expect(wallet.Properties.Replicas[0].PointInTimeRecoverySpecification).toEqual({
    PointInTimeRecoveryEnabled: true,
  });
  const consumer = resourceOf(template, "AWS::Lambda::Function", "Consumer");
  expect(consumer.Properties.Environment.Variables.WALLET_TABLE).toEqual({ Ref: wallet.id });

  const named = synthesize({ handler: "lambdas/handler.ts" });
  expect(named.toJSON()).toEqual(template.toJSON());

  const own = synthesize({ handler: "test/infra/synthesized.ts" });
  expect([...resourcesOf(own, "AWS::DynamoDB::GlobalTable").keys()]).toEqual([ledger.id]);
  const ownConsumer = resourceOf(own, "AWS::Lambda::Function", "Consumer");
  expect(ownConsumer.Properties.Environment.Variables).not.toHaveProperty("WALLET_TABLE");
});
