import { expect, test } from "vitest";
import { readPublishingParameter } from "../../lambdas/core/wire/publishing-parameter.ts";
import { valueResolver } from "./resolved.ts";
import { resourceOf, synthesize } from "./synthesized.ts";

const template = synthesize({ name: "raids", pageAgeSeconds: 300, maxAttempts: 4 });
const resolve = valueResolver(template);

const id = (type: string, part: string) => resourceOf(template, type, part).id;

test("the publisher of this version can read its parameter", () => {
  const { Properties } = resourceOf(template, "AWS::SSM::Parameter", "Publishing");
  // A reference to a queue becomes its URL at the deploy.
  const queueUrl = "https://sqs.us-east-1.amazonaws.com/123456789012/raids.fifo";
  const deployed = String(resolve(Properties.Value)).replace(
    id("AWS::SQS::Queue", "Source"),
    queueUrl,
  );
  expect(readPublishingParameter(deployed)).toEqual({ queueUrl, partitions: 64 });
});

test("publishers read the queue, the count and the hash in one parameter", () => {
  const { Properties } = resourceOf(template, "AWS::SSM::Parameter", "Publishing");
  expect(Properties.Name).toBe("/backlogorder/raids");
  expect(JSON.parse(resolve(Properties.Value) as string)).toEqual({
    wire: 1,
    queueUrl: id("AWS::SQS::Queue", "Source"),
    partitions: 64,
    hash: "fnv1a-32",
  });
});

test("operators' tools find all that they work on in another one", () => {
  const { Properties } = resourceOf(template, "AWS::SSM::Parameter", "Operations");
  expect(Properties.Name).toBe("/backlogorder/raids/operations");
  expect(JSON.parse(resolve(Properties.Value) as string)).toEqual({
    sourceUrl: id("AWS::SQS::Queue", "Source"),
    letterQueueUrl: id("AWS::SQS::Queue", "Letters"),
    ledgerTable: id("AWS::DynamoDB::GlobalTable", "Ledger"),
    consumer: id("AWS::Lambda::Function", "Consumer"),
    replay: id("AWS::Lambda::Function", "Replay"),
    payload: id("AWS::Lambda::Function", "Payload"),
    snapshot: id("AWS::Lambda::Function", "Snapshot"),
    mapping: id("AWS::Lambda::EventSourceMapping", "Mapping"),
    policy: { warnAgeMs: 120_000, pageAgeMs: 300_000, maxCount: 10_000 },
    partitions: 64,
    maxAttempts: 4,
    backoff: { baseSeconds: 2, capSeconds: 60 },
    replayLimit: 10_000,
    pageAlarm: "backlogorder-raids-page",
    warnAlarm: "backlogorder-raids-warn",
  });
});

test("the outputs tell where to publish, how to try a replay, and what a destroy leaves", () => {
  const outputs = Object.fromEntries(
    Object.entries(template.findOutputs("*")).map(([name, { Value }]) => [name, resolve(Value)]),
  );
  const replay = id("AWS::Lambda::Function", "Replay");
  expect(outputs).toEqual({
    SourceQueueUrl: id("AWS::SQS::Queue", "Source"),
    LetterQueueUrl: id("AWS::SQS::Queue", "Letters"),
    LedgerTableName: id("AWS::DynamoDB::GlobalTable", "Ledger"),
    PublisherPolicyArn: id("AWS::IAM::ManagedPolicy", "Publisher"),
    ViewerPolicyArn: id("AWS::IAM::ManagedPolicy", "Viewer"),
    OperatorPolicyArn: id("AWS::IAM::ManagedPolicy", "OperatorsOperator"),
    AdminPolicyArn: id("AWS::IAM::ManagedPolicy", "Admin"),
    ConsumerFunctionName: id("AWS::Lambda::Function", "Consumer"),
    ReplayFunctionName: replay,
    KeptByDestroy: [
      id("AWS::DynamoDB::GlobalTable", "Wallet"),
      id("AWS::SQS::Queue", "Letters"),
      id("AWS::SQS::Queue", "Source"),
      id("AWS::DynamoDB::GlobalTable", "Ledger"),
    ].join(" "),
    ReplayDryRun: `aws lambda invoke --function-name ${replay} --cli-binary-format raw-in-base64-out --cli-read-timeout 0 --payload '{"dryRun":true}' /dev/stdout`,
  });
});
