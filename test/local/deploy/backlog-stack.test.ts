import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
} from "@aws-sdk/client-dynamodb";
import { LambdaClient, ListEventSourceMappingsCommand } from "@aws-sdk/client-lambda";
import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { App } from "aws-cdk-lib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { appSettingsOf } from "../../../infra/app-settings.ts";
import { BacklogStack } from "../../../infra/backlog-stack.ts";
import { type Cloud, startCloud } from "../../../local/cloud.ts";
import { readAssembly } from "../../../local/deploy/assembly.ts";
import { requestCustomResource } from "../../../local/deploy/custom-resource-request.ts";
import { type Deployed, deploy } from "../../../local/deploy/deploy.ts";

let folder: string;
let cloud: Cloud;
let stack: Deployed;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backlog-stack-"));
  const cdkJson = readFileSync(new URL("../../../cdk.json", import.meta.url), "utf8");
  const { context } = JSON.parse(cdkJson) as { readonly context: Record<string, unknown> };
  const app = new App({ context, outdir: join(folder, "cdk.out") });
  new BacklogStack(app, appSettingsOf({ ...context, name: "raids", partitions: 16 }));
  cloud = await startCloud({ maximumConcurrency: 3 });
  stack = await deploy({ ...readAssembly(app.synth().directory), cloud });
}, 120_000);

afterAll(async () => {
  stack?.stop();
  await cloud?.close();
  rmSync(folder, { recursive: true, force: true });
});

function optionsOf({ url }: { readonly url: string }) {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  return { region: cloud.region, endpoint: url, credentials };
}

async function queueAttributes(QueueUrl: string | undefined) {
  const sqs = new SQSClient(optionsOf(cloud.sqs));
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }),
  );
  sqs.destroy();
  return Attributes;
}

async function parameter(Name: string): Promise<unknown> {
  const ssm = new SSMClient(optionsOf(cloud.ssm));
  const { Parameter } = await ssm.send(new GetParameterCommand({ Name }));
  ssm.destroy();
  return JSON.parse(Parameter?.Value ?? "");
}

async function withTables<T>(look: (client: DynamoDBClient) => Promise<T>): Promise<T> {
  const client = new DynamoDBClient(optionsOf(cloud.dynamodb));
  try {
    return await look(client);
  } finally {
    client.destroy();
  }
}

test("the queues are the template's: FIFO, per group, and letters behind the source", async () => {
  const { SourceQueueUrl, LetterQueueUrl } = stack.outputs;
  const letters = await queueAttributes(LetterQueueUrl);
  const source = await queueAttributes(SourceQueueUrl);
  expect(source).toMatchObject({
    FifoQueue: "true",
    ContentBasedDeduplication: "false",
    DeduplicationScope: "messageGroup",
    FifoThroughputLimit: "perMessageGroupId",
    VisibilityTimeout: "360",
    MessageRetentionPeriod: "1209600",
  });
  expect(JSON.parse(source["RedrivePolicy"] ?? "")).toEqual({
    deadLetterTargetArn: letters["QueueArn"],
    maxReceiveCount: 240,
  });
  expect(source["Policy"]).toContain("aws:SecureTransport");
  expect(source["QueueArn"]).toMatch(
    /:Backlogorder-raids-BacklogQueuesSource[A-F0-9]{8}-[A-Z0-9]{12}\.fifo$/,
  );
});

test("the ledger has its index, its expiry, its recovery and its protection", async () => {
  const TableName = stack.outputs["LedgerTableName"];
  const [table, expiry, backups] = await withTables(
    async (client) =>
      [
        (await client.send(new DescribeTableCommand({ TableName }))).Table,
        (await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription,
        (await client.send(new DescribeContinuousBackupsCommand({ TableName })))
          .ContinuousBackupsDescription,
      ] as const,
  );
  expect(table).toMatchObject({
    DeletionProtectionEnabled: true,
    GlobalSecondaryIndexes: [{ IndexName: "open", Projection: { ProjectionType: "ALL" } }],
  });
  expect(expiry).toMatchObject({ TimeToLiveStatus: "ENABLED", AttributeName: "expiresAt" });
  expect(backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus).toBe("ENABLED");
});

test("the deploy has locked the partition count in the ledger", async () => {
  expect(await storedPartitions()).toBe("16");
});

test("a later deploy with another partition count fails, names both and changes nothing", async () => {
  const [lock] = stack.resourcesOf("Custom::BacklogPartitions");
  const changed = lockRequest(32);
  await expect(changed).rejects.toThrow(/Expected 16 partitions.*got 32/);
  expect(await storedPartitions()).toBe("16");
  const same = await lockRequest(16);
  expect(same.physicalResourceId).toBe(lock?.physicalId);
});

test("a later deploy under another name fails, names both and changes nothing", async () => {
  await expect(lockRequest(16, "guilds")).rejects.toThrow(/name to be raids, .* got guilds\./);
  expect((await lockRequest(16)).physicalResourceId).not.toBe("");
});

test("the parameters tell publishers and operators' tools what was created", async () => {
  expect(await parameter("/backlogorder/raids")).toEqual({
    wire: 1,
    queueUrl: stack.outputs["SourceQueueUrl"],
    partitions: 16,
    hash: "fnv1a-32",
  });
  const [mapping] = stack.resourcesOf("AWS::Lambda::EventSourceMapping");
  expect(await parameter("/backlogorder/raids/operations")).toMatchObject({
    letterQueueUrl: stack.outputs["LetterQueueUrl"],
    ledgerTable: stack.outputs["LedgerTableName"],
    consumer: stack.outputs["ConsumerFunctionName"],
    replay: stack.outputs["ReplayFunctionName"],
    mapping: mapping?.physicalId,
  });
});

test("the mapping polls, with no more batches at once than the cloud is to carry", async () => {
  const lambda = new LambdaClient(optionsOf(cloud.lambda));
  const { EventSourceMappings } = await lambda.send(new ListEventSourceMappingsCommand({}));
  expect(EventSourceMappings).toMatchObject([
    {
      State: "Enabled",
      BatchSize: 10,
      ScalingConfig: { MaximumConcurrency: 3 },
      FunctionResponseTypes: ["ReportBatchItemFailures"],
    },
  ]);
  lambda.destroy();
});

test("the dashboard's widget shows that nobody is blocked", async () => {
  const widget = stack
    .resourcesOf("AWS::Lambda::Function")
    .find(({ logicalId }) => logicalId.startsWith("BacklogDashboardWidget"));
  const { payload } = await cloud.lambda.invoke(widget?.physicalId ?? "", {});
  expect(payload).toBe(
    "<h2>Who is blocked</h2><p>Nobody: no record waits for another attempt.</p><h2>Dead letters</h2><p>None.</p>",
  );
});

test("every alarm exists, composites over metric alarms", () => {
  const names = ["page", "warn", "page-age", "letters", "snapshot-missing", "consumer-errors"];
  const states = names.map((name) => cloud.cloudwatch.stateOf(`backlogorder-raids-${name}`));
  expect(states).not.toContain(undefined);
});

async function storedPartitions(): Promise<string | undefined> {
  return withTables(async (client) => {
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: stack.outputs["LedgerTableName"],
        Key: { pk: { S: "lock" }, sk: { S: "partitions" } },
      }),
    );
    return Item?.["partitions"]?.N;
  });
}

/** What CloudFormation does when the lock's properties change. */
function lockRequest(Partitions: number, Backlog = "raids") {
  const [lock] = stack.resourcesOf("Custom::BacklogPartitions");
  const [name = ""] = stack
    .resourcesOf("AWS::Lambda::Function")
    .filter(({ logicalId }) => logicalId.startsWith("BacklogLockFunction"))
    .map(({ physicalId }) => physicalId);
  return requestCustomResource(cloud.lambda, name, {
    requestType: "Update",
    stackId: stack.stackId,
    logicalId: lock?.logicalId ?? "",
    type: "Custom::BacklogPartitions",
    properties: { Partitions, Backlog, TableName: stack.outputs["LedgerTableName"] },
    ...(lock && { physicalResourceId: lock.physicalId }),
  });
}
