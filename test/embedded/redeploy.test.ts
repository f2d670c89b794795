import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient, GetItemCommand, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { GetParameterCommand, ParameterNotFound, SSMClient } from "@aws-sdk/client-ssm";
import { App } from "aws-cdk-lib";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { appSettingsOf } from "../../infra/app-settings.ts";
import { BacklogStack } from "../../infra/backlog-stack.ts";
import { publisherFor } from "../../lambdas/aws/publisher/publisher.ts";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import { type Cloud, startCloud } from "../../local/cloud.ts";
import { type Assembly, readAssembly } from "../../local/deploy/assembly.ts";
import { type Deployed, deploy } from "../../local/deploy/deploy.ts";
import { retainedText } from "../../local/deploy/remove-resources.ts";

vi.setConfig({ testTimeout: 60_000 });

const CDK_JSON = readFileSync(new URL("../../cdk.json", import.meta.url), "utf8");
const STORES = /^AWS::(SQS::Queue|DynamoDB::GlobalTable)$/;

let folder: string;
let cloud: Cloud;
/** Of the backlog `live` with its mapping off, by partition count, so that records wait. */
let assemblies: ReadonlyMap<number, Assembly>;
let sqs: SQSClient;
let dynamodb: DynamoDBClient;
let ssm: SSMClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "redeploy-"));
  assemblies = new Map([16, 32].map((partitions) => [partitions, synthesized(partitions)]));
  cloud = await startCloud();
  const client = ({ url }: { readonly url: string }) => ({
    ...{ region: cloud.region, endpoint: url },
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  sqs = new SQSClient(client(cloud.sqs));
  dynamodb = new DynamoDBClient(client(cloud.dynamodb));
  ssm = new SSMClient(client(cloud.ssm));
}, 60_000);

afterAll(async () => {
  await cloud?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a deploy of 32 partitions over 16 is refused with both numbers and what to do, and changes nothing", async () => {
  const live = await deployed(16);
  const before = await parameter("/backlogorder/live");

  await expect(live.update(assemblyOf(32))).rejects.toThrow(
    /Custom::BacklogPartitions.*Expected 16 partitions, .* got 32\. .*Nothing was changed: .*docs\/repartition\.md/,
  );
  expect(await parameter("/backlogorder/live")).toEqual(before);
  expect(await partitionsIn(live)).toBe("16");

  // All that was there still is, so the same deploy as before changes nothing either.
  const same = await live.update(assemblyOf(16));
  expect(same.physicalIds).toEqual(live.physicalIds);
  expect(same.outputs).toEqual(live.outputs);
});

test("the dashboard's function leaves with its setting, and comes back with it", async () => {
  const live = await deployed(16);
  const functions = (stack: Deployed): readonly string[] =>
    stack.resourcesOf("AWS::Lambda::Function").map(({ physicalId }) => physicalId);

  const less = await live.update(synthesized(16, { dashboard: false }));
  const [widget = "", ...others] = functions(live).filter(
    (name) => !functions(less).includes(name),
  );
  expect(others).toEqual([]);
  expect(less.leftOver).toEqual([]);
  await expect(cloud.lambda.invoke(widget, { describe: true })).rejects.toThrow(
    "Function not found",
  );

  const back = await live.update(assemblyOf(16));
  const [again = ""] = functions(back).filter((name) => !functions(less).includes(name));
  const answer = await cloud.lambda.invoke(again, { describe: true });
  expect(answer.functionError).toBeUndefined();
  expect(await parameter("/backlogorder/live")).toMatchObject({ partitions: 16 });
});

test("a destroy leaves queues, tables and logs, says so, and removes all else", async () => {
  const live = await deployed(16);
  await publish(live);
  const removed = await live.destroy();
  const { deleted, retained } = removed;

  expect(new Set(retained.map(({ type }) => type))).toEqual(
    new Set([
      ...["AWS::SQS::Queue", "AWS::SQS::QueuePolicy"],
      ...["AWS::DynamoDB::GlobalTable", "AWS::Logs::LogGroup"],
    ]),
  );
  const stores = retained.filter(({ type }) => STORES.test(type));
  expect(stores).toHaveLength(4);
  const told = live.outputs["KeptByDestroy"]?.split(" ");
  expect(told?.toSorted()).toEqual(stores.map(({ physicalId }) => physicalId).toSorted());
  for (const { physicalId } of stores) expect(retainedText(removed)).toContain(physicalId);
  expect(deleted.map(({ type }) => type)).toContain("AWS::Lambda::EventSourceMapping");

  expect(await waitingIn(live)).toBe(1);
  expect(await partitionsIn(live)).toBe("16");
  await expect(parameter("/backlogorder/live")).rejects.toThrow(ParameterNotFound);
  expect(cloud.cloudwatch.stateOf("backlogorder-live-page")).toBeUndefined();
});

test("a deploy after a destroy begins a new backlog, whose partition count may be another", async () => {
  const old = await deployed(16);
  await publish(old);
  await old.destroy();

  const live = await deployed(32);
  for (const output of ["SourceQueueUrl", "LetterQueueUrl", "LedgerTableName"]) {
    expect(live.outputs[output]).not.toBe(old.outputs[output]);
  }
  expect(await partitionsIn(live)).toBe("32");
  expect(await parameter("/backlogorder/live")).toMatchObject({
    queueUrl: live.outputs["SourceQueueUrl"],
    partitions: 32,
  });
  // The old records are where they were, and nobody handles them.
  expect([await waitingIn(old), await waitingIn(live)]).toEqual([1, 0]);
});

test("a deploy that imports what a destroy left goes on with it, and with its partition count", async () => {
  const old = await deployed(16);
  await publish(old);
  const { retained } = await old.destroy();
  const imported = retained.filter(({ type }) => STORES.test(type));

  await expect(deployed(32, { imported })).rejects.toThrow(/Expected 16 partitions.*got 32/);
  const live = await deployed(16, { imported });
  expect(live.outputs["SourceQueueUrl"]).toBe(old.outputs["SourceQueueUrl"]);
  expect(await waitingIn(live)).toBe(1);
});

test("a first deploy that fails half-way takes all back but the empty ledger, and can be tried again", async () => {
  const queuesBefore = cloud.sqs.sample().length;
  const tablesBefore = (await tables()).length;

  await expect(deploy({ ...withBrokenMapping(assemblyOf(16)), cloud })).rejects.toThrow(
    /EventSourceMapping.*The stack was rolled back\. Left, .*: AWS::DynamoDB::GlobalTable Backlogorder-live-BacklogLedger[^,]*$/,
  );
  expect(cloud.sqs.sample()).toHaveLength(queuesBefore);
  expect(await tables()).toHaveLength(tablesBefore + 1);
  await expect(parameter("/backlogorder/live")).rejects.toThrow(ParameterNotFound);

  const live = await deployed(32);
  expect(await partitionsIn(live)).toBe("32");
});

function synthesized(partitions: number, choice: object = {}): Assembly {
  const { context } = JSON.parse(CDK_JSON);
  const app = new App({ context, outdir: mkdtempSync(join(folder, "cdk.out-")) });
  const settings = { name: "live", partitions, drainFirst: true, ...choice };
  new BacklogStack(app, appSettingsOf({ ...context, ...settings }));
  return readAssembly(app.synth().directory);
}

function assemblyOf(partitions: number): Assembly {
  const assembly = assemblies.get(partitions);
  if (assembly === undefined) throw new RangeError(`Expected 16 or 32, got ${partitions}`);
  return assembly;
}

/** Gone with the test, so that each has the name to itself. */
async function deployed(
  partitions: number,
  options: Pick<Parameters<typeof deploy>[0], "imported"> = {},
): Promise<Deployed> {
  const live = await deploy({ ...assemblyOf(partitions), ...options, cloud });
  onTestFinished(async () => {
    if (cloud.stacks.get("Backlogorder-live") !== undefined) await live.destroy();
  });
  return live;
}

/** Lambda refuses the batch size, when queues, tables, functions and lock are there. */
function withBrokenMapping(assembly: Assembly): Assembly {
  const { template } = assembly;
  const broken = Object.entries(template.Resources).map(([id, resource]) =>
    resource.Type === "AWS::Lambda::EventSourceMapping"
      ? [id, { ...resource, Properties: { ...resource.Properties, BatchSize: 11 } }]
      : [id, resource],
  );
  return { ...assembly, template: { ...template, Resources: Object.fromEntries(broken) } };
}

async function parameter(Name: string): Promise<unknown> {
  const { Parameter } = await ssm.send(new GetParameterCommand({ Name }));
  return JSON.parse(Parameter?.Value ?? "");
}

async function publish({ outputs }: Deployed): Promise<void> {
  const text = JSON.stringify(await parameter("/backlogorder/live"));
  await publisherFor(text, sqs).publish([{ id: "grant-1", key: "player-1", payload: "paid" }]);
  expect(text).toContain(outputs["SourceQueueUrl"]);
}

async function waitingIn({ outputs }: Deployed): Promise<number> {
  return (await readQueueSize(sqs, outputs["SourceQueueUrl"] ?? "")).visible;
}

async function tables(): Promise<readonly string[]> {
  return (await dynamodb.send(new ListTablesCommand({}))).TableNames ?? [];
}

async function partitionsIn({ outputs }: Deployed): Promise<string | undefined> {
  const { Item } = await dynamodb.send(
    new GetItemCommand({
      TableName: outputs["LedgerTableName"],
      Key: { pk: { S: "lock" }, sk: { S: "partitions" } },
    }),
  );
  return Item?.["partitions"]?.N;
}
