import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { listOpenRecords } from "../../lambdas/aws/ledger/open-records.ts";
import { type Publisher, publisherFor } from "../../lambdas/aws/publisher/publisher.ts";
import { type BacklogSources, readBacklog } from "../../lambdas/aws/snapshot/backlog-snapshot.ts";
import type { Backlog } from "../../lambdas/core/backlog.ts";
import type { LedgerItem } from "../../lambdas/core/ledger.ts";
import { type Settings, settingsOf } from "../../lambdas/core/settings.ts";
import { endAll } from "../cloud/end-all.ts";
import { type Cloud, startCloud } from "../cloud.ts";
import type { StateChange } from "../cloudwatch/alarm-transitions.ts";
import { startDashboard } from "../dashboard/server.ts";
import { readAssembly } from "../deploy/assembly.ts";
import { deploy } from "../deploy/deploy.ts";
import type { FunctionLine } from "../lambda/server.ts";
import { DEMO_SETTINGS, ENVIRONMENTS_MAX, MINUTE_DIVISOR } from "./demo-settings.ts";
import { synthesize } from "./synthesize.ts";

/** The demo's stack, deployed on this machine, and SDK clients that speak to it. */
export type DemoCloud = {
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string>>;
  readonly dynamo: DynamoDBClient;
  readonly lambda: LambdaClient;
  readonly walletTable: string;
  readonly ledgerTable: string;
  readonly replayFunction: string;
  publisher(): Promise<Publisher>;
  backlog(): Promise<Backlog>;
  /** Serves the stack's dashboard until the cloud is closed. Gives its address. */
  dashboard(): Promise<string>;
  /** Dead letters that the ledger lists. */
  letters(): Promise<readonly LedgerItem[]>;
  close(): Promise<void>;
};

export type DemoCloudOptions = {
  readonly handler: string | undefined;
  /** A line that a function wrote to its output. */
  readonly onLine: (line: FunctionLine) => void;
  readonly onStateChange: (change: StateChange) => void;
  /** Ends the start between two of its steps. */
  readonly signal: AbortSignal;
};

/** Synthesizes the demo's app and creates all of it here. Ends what it started where a step fails. */
export async function startDemoCloud(options: DemoCloudOptions): Promise<DemoCloud> {
  const assembly = await synthesize(options.handler);
  const ends = [async (): Promise<void> => assembly.remove()];
  const close = (): Promise<void> => endAll(ends.splice(0).toReversed());
  try {
    options.signal.throwIfAborted();
    const cloud = await startCloud({
      divisor: MINUTE_DIVISOR,
      maximumConcurrency: ENVIRONMENTS_MAX,
      onLine: options.onLine,
      onStateChange: options.onStateChange,
    });
    ends.push(() => cloud.close());
    options.signal.throwIfAborted();
    const deployed = await deploy({ ...readAssembly(assembly.directory), cloud });
    ends.push(async () => deployed.stop());
    const dashboard = async (): Promise<string> => {
      const server = await startDashboard(cloud, deployed);
      ends.push(() => server.close());
      return server.url;
    };
    return { ...clientsOf(cloud, deployed.outputs), dashboard, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function clientsOf(
  { environment }: Cloud,
  outputs: Readonly<Record<string, string>>,
): Omit<DemoCloud, "close" | "dashboard"> {
  const endpoint = (service: string): { endpoint: string } & typeof ACCESS => ({
    endpoint: outputOf(environment, `AWS_ENDPOINT_URL_${service}`),
    ...ACCESS,
  });
  const sqs = new SQSClient(endpoint("SQS"));
  const dynamo = new DynamoDBClient(endpoint("DYNAMODB"));
  const cloudWatch = new CloudWatchClient(endpoint("CLOUDWATCH"));
  const ssm = new SSMClient(endpoint("SSM"));
  const settings = settingsOf(DEMO_SETTINGS);
  const sources: BacklogSources = {
    sqs,
    cloudWatch,
    ledger: { client: dynamo, table: outputOf(outputs, "LedgerTableName"), nowMs: Date.now },
    sourceUrl: outputOf(outputs, "SourceQueueUrl"),
    letterQueueUrl: outputOf(outputs, "LetterQueueUrl"),
    settings,
  };
  return {
    settings,
    environment,
    dynamo,
    lambda: new LambdaClient({ ...endpoint("LAMBDA"), maxAttempts: 1 }),
    walletTable: outputOf(outputs, "WalletTableName"),
    ledgerTable: outputOf(outputs, "LedgerTableName"),
    replayFunction: outputOf(outputs, "ReplayFunctionName"),
    async publisher(): Promise<Publisher> {
      const Name = `/backlogorder/${settings.name}`;
      const { Parameter } = await ssm.send(new GetParameterCommand({ Name }));
      return publisherFor(Parameter?.Value ?? "", sqs);
    },
    backlog: () => readBacklog(sources),
    letters: () => listOpenRecords(sources.ledger, { state: "dead" }),
  };
}

/** The emulators check no signature; the SDK wants something to sign with. */
const ACCESS = {
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
};

function outputOf(values: Readonly<Record<string, string>>, name: string): string {
  const value = values[name];
  if (value === undefined) {
    throw new Error(`Expected the deployed stack to give \`${name}\`, got ${Object.keys(values)}`);
  }
  return value;
}
