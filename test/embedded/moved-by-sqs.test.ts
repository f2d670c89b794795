import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { publisherFor } from "../../lambdas/aws/publisher/publisher.ts";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import { type Cloud, startCloud } from "../../local/cloud.ts";
import { invokeReplay } from "../../local/demo/invoke-replay.ts";
import { synthesize } from "../../local/demo/synthesize.ts";
import { readAssembly } from "../../local/deploy/assembly.ts";
import { type Assets, readAssets } from "../../local/deploy/assets.ts";
import { type Deployed, deploy } from "../../local/deploy/deploy.ts";

const RECORDS = 12;

let cloud: Cloud;
let deployed: Deployed;
/** Folder of the consumer's bundle as it was synthesized. */
let mended: string;
const clean: (() => void)[] = [];

beforeAll(async () => {
  const assembly = await synthesize(undefined);
  clean.push(assembly.remove);
  const { template, ...rest } = readAssembly(assembly.directory);
  mended = consumerCode(template, readAssets(rest.assetsDirectory));
  cloud = await startCloud({ maximumConcurrency: 2 });
  deployed = await deploy({ ...rest, template: impatient(template), cloud });
}, 60_000);

afterAll(async () => {
  deployed?.stop();
  await cloud?.close();
  for (const step of clean) step();
});

type Resources = Record<
  string,
  { readonly Type: string; readonly Properties: Record<string, unknown> }
>;

function consumerCode(template: unknown, assets: Assets): string {
  const { Resources } = template as { readonly Resources: Resources };
  const consumer = Object.entries(Resources).find(
    ([id, { Type }]) => Type === "AWS::Lambda::Function" && id.startsWith("BacklogConsumer"),
  )?.[1];
  const { S3Key = "" } = (consumer?.Properties["Code"] ?? {}) as { readonly S3Key?: string };
  const directory = assets.get(S3Key);
  if (directory === undefined) throw new Error(`no asset ${S3Key} among ${[...assets.keys()]}`);
  return directory;
}

/** The settings refuse a redrive this early, for it takes waiting records with it; this is what it
 *  would look like after a day of outage. */
function impatient(template: unknown): unknown {
  const copy = structuredClone(template) as { readonly Resources: Resources };
  for (const { Type, Properties } of Object.values(copy.Resources)) {
    const policy = Properties?.["RedrivePolicy"];
    if (Type !== "AWS::SQS::Queue" || policy === undefined) continue;
    Properties["RedrivePolicy"] = { ...policy, maxReceiveCount: 2 };
    Properties["VisibilityTimeout"] = 3;
  }
  return copy;
}

it("lists records that SQS moved because the consumer cannot start, and replays them once it can", async () => {
  const client = { region: cloud.region, credentials: { accessKeyId: "x", secretAccessKey: "x" } };
  const endpoint = (service: string) => cloud.environment[`AWS_ENDPOINT_URL_${service}`] ?? "";
  const ssm = new SSMClient({ ...client, endpoint: endpoint("SSM") });
  const sqs = new SQSClient({ ...client, endpoint: endpoint("SQS") });
  const lambda = new LambdaClient({ ...client, endpoint: endpoint("LAMBDA"), maxAttempts: 1 });
  const parameter = async (Name: string) =>
    (await ssm.send(new GetParameterCommand({ Name }))).Parameter?.Value ?? "";
  const operations = JSON.parse(await parameter("/backlogorder/demo/operations"));
  const replayer = { lambda, replayFunction: operations.replay };

  const broken = mkdtempSync(join(tmpdir(), "broken-consumer-"));
  clean.push(() => rmSync(broken, { recursive: true }));
  writeFileSync(join(broken, "index.mjs"), 'throw new Error("this bundle cannot start");\n');
  cloud.lambda.updateFunction(operations.consumer, { codeDirectory: broken });

  const publisher = publisherFor(await parameter("/backlogorder/demo"), sqs);
  const key = "player:王小明";
  const payload = JSON.stringify({ type: "credit", amount: 1 });
  await publisher.publish(
    Array.from({ length: RECORDS }, (_, n) => ({ id: `r${n}`, key, payload })),
  );
  await until(async () => {
    const { visible } = await readQueueSize(sqs, operations.letterQueueUrl);
    return visible === RECORDS;
  });

  const shown = await invokeReplay(replayer, { dryRun: true });
  const reasons = new Set(shown.selected?.letters.map(({ reason }) => reason));
  expect([...reasons]).toEqual(["moved by SQS after 2 receives"]);

  cloud.lambda.updateFunction(operations.consumer, { codeDirectory: mended });
  const result = await invokeReplay(replayer, { why: "the bundle was mended" });
  expect(result).toMatchObject({ replayed: RECORDS, failed: [], errors: [], pending: 0 });
  await until(async () => {
    const { visible, inFlight } = await readQueueSize(sqs, operations.letterQueueUrl);
    return visible + inFlight === 0;
  });
}, 90_000);

async function until(condition: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > endMs) throw new Error("the condition did not come true within a minute");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
