import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { App } from "aws-cdk-lib";
import { appSettingsOf } from "../../infra/app-settings.ts";
import { BacklogStack } from "../../infra/backlog-stack.ts";
import { type Settings, settingsOf } from "../../lambdas/core/settings.ts";
import { endAll } from "../../local/cloud/end-all.ts";
import { type Cloud, startCloud } from "../../local/cloud.ts";
import { readAssembly } from "../../local/deploy/assembly.ts";
import { deploy } from "../../local/deploy/deploy.ts";
import { LOCAL_ACCESS } from "../measure/local-access.ts";

export type DeployedBacklogOptions = {
  readonly settings: Partial<Settings>;
  /** File of the handler. */
  readonly handler: string;
  /** Each line that a function writes. */
  readonly onLine?: (text: string) => void;
};

/** A whole stack on this machine, whose replay function counts its requests. */
export type DeployedBacklog = {
  readonly settings: Settings;
  readonly cloud: Cloud;
  readonly sqs: SQSClient;
  readonly dynamoDb: DynamoDBClient;
  readonly letterQueueUrl: string;
  readonly ledgerTable: string;
  /** Requests of the replay function so far, by what they asked for, as `AmazonSQS.SendMessage`. */
  requests(): ReadonlyMap<string, number>;
  close(): Promise<void>;
};

/** Synthesizes and creates the stack `Backlogorder-<name>`. Ends what it started where a step fails. */
export async function deployBacklog(options: DeployedBacklogOptions): Promise<DeployedBacklog> {
  const folder = mkdtempSync(join(tmpdir(), "backlogorder-letters-"));
  const ends = [async (): Promise<void> => rmSync(folder, { recursive: true, force: true })];
  const close = (): Promise<void> => endAll(ends.splice(0).toReversed());
  try {
    const { directory, name } = synthesized(options, folder);
    const requests = new Map<string, number>();
    const cloud = await startCloud({
      onLine({ text }): void {
        const requested = requestIn(text);
        if (requested === undefined) options.onLine?.(text);
        else requests.set(requested, (requests.get(requested) ?? 0) + 1);
      },
    });
    ends.push(() => cloud.close());
    const { outputs, stop } = await deploy({ ...readAssembly(directory, name), cloud });
    ends.push(async () => stop());
    return {
      settings: settingsOf(options.settings),
      cloud,
      sqs: new SQSClient({ endpoint: cloud.sqs.url, ...LOCAL_ACCESS }),
      dynamoDb: new DynamoDBClient({ endpoint: cloud.dynamodb.url, ...LOCAL_ACCESS }),
      letterQueueUrl: outputs["LetterQueueUrl"] ?? "",
      ledgerTable: outputs["LedgerTableName"] ?? "",
      requests: () => new Map(requests),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function synthesized(
  { settings, handler }: DeployedBacklogOptions,
  folder: string,
): { readonly directory: string; readonly name: string } {
  const cdk = JSON.parse(readFileSync(new URL("../../cdk.json", import.meta.url), "utf8"));
  const app = new App({ context: cdk.context, outdir: join(folder, "cdk.out") });
  const stack = new BacklogStack(app, appSettingsOf({ ...settings, handler }));
  stack.backlog.replay.addEnvironment("NODE_OPTIONS", `--import=${COUNTING}`);
  return { directory: app.synth().directory, name: stack.stackName };
}

const COUNTING = new URL("./count-requests.ts", import.meta.url).href;

const REQUEST = '{"requested":';

function requestIn(line: string): string | undefined {
  if (!line.startsWith(REQUEST)) return undefined;
  return String(JSON.parse(line).requested).replace("DynamoDB_20120810", "DynamoDB");
}
