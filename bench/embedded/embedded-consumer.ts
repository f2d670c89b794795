import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  GetEventSourceMappingCommand,
  LambdaClient,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import { toEnvironment } from "../../lambdas/core/environment.ts";
import { type Settings, settingsOf } from "../../lambdas/core/settings.ts";
import { type Cloud, startCloud } from "../../local/cloud.ts";
import type { FunctionProps } from "../../local/lambda/function-version.ts";
import type { FunctionLine } from "../../local/lambda/server.ts";
import { LEDGER_TABLE } from "../contenders/backlogorder.ts";
import { createTable } from "../measure/create-table.ts";
import { LOCAL_ACCESS } from "../measure/local-access.ts";
import { createSourceQueue, type SourceQueue } from "./source-queue.ts";

export type EmbeddedConsumerOptions = {
  readonly settings: Partial<Settings>;
  /** Writes the function's `index.mjs` into a folder. */
  readonly bundle: (folder: string) => void;
  /** Receives after which SQS moves a record to the dead-letter queue. @default - as the settings say */
  readonly maxReceiveCount?: number;
  /** Batches at once, from 2; each is a process of this machine. */
  readonly concurrency: number;
  readonly onLine?: (line: FunctionLine) => void;
};

/** The deployed consumer on the embedded services: its bundle in processes of its own. */
export type EmbeddedConsumer = {
  readonly queue: SourceQueue;
  readonly letterQueue: SourceQueue;
  /** Begins to receive. */
  start(): Promise<void>;
  /** Receives no more; resolves when nothing is under way. */
  pause(): Promise<void>;
  close(): Promise<void>;
};

const FUNCTION = "consumer";
const LOOK_EVERY_MS = 5;

/** Everything of a backlog that a consumer needs, without the rest of the stack. */
export async function startEmbeddedConsumer(
  options: EmbeddedConsumerOptions,
): Promise<EmbeddedConsumer> {
  const settings = settingsOf(options.settings);
  const folder = mkdtempSync(join(tmpdir(), "backlogorder-bench-"));
  const { onLine } = options;
  const cloud = await startCloud({
    maximumConcurrency: options.concurrency,
    ...(onLine && { onLine }),
  });
  const sqs = new SQSClient({ endpoint: cloud.sqs.url, ...LOCAL_ACCESS });
  const letterQueue = await createSourceQueue(sqs, settings);
  const { maxReceiveCount = settings.maxReceiveCount } = options;
  const redrive = { deadLetterTargetArn: letterQueue.arn, maxReceiveCount };
  const queue = await createSourceQueue(sqs, settings, redrive);
  const codeDirectory = join(folder, FUNCTION);
  mkdirSync(codeDirectory);
  options.bundle(codeDirectory);
  const environment = toEnvironment({
    settings,
    sourceUrl: queue.url,
    letterQueueUrl: letterQueue.url,
    ledgerTable: LEDGER_TABLE.name,
  });
  await createFunction(cloud, { codeDirectory, environment }, settings.consumerTimeoutSeconds);
  const mapping = {
    uuid: randomUUID(),
    functionName: FUNCTION,
    queueUrl: queue.url,
    queueArn: queue.arn,
    batchSize: settings.batchSize,
    maximumConcurrency: options.concurrency,
    reportBatchItemFailures: true,
  };
  await cloud.lambda.createMapping(mapping, { enabled: false });
  const lambda = new LambdaClient({ endpoint: cloud.lambda.url, ...LOCAL_ACCESS });
  const turn = async (Enabled: boolean, state: string): Promise<void> => {
    await lambda.send(new UpdateEventSourceMappingCommand({ UUID: mapping.uuid, Enabled }));
    const read = new GetEventSourceMappingCommand({ UUID: mapping.uuid });
    while ((await lambda.send(read)).State !== state) await delay(LOOK_EVERY_MS);
  };
  return {
    queue,
    letterQueue,
    start: () => turn(true, "Enabled"),
    pause: () => turn(false, "Disabled"),
    async close(): Promise<void> {
      await cloud.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function createFunction(
  { dynamodb, lambda }: Cloud,
  code: Pick<FunctionProps, "codeDirectory" | "environment">,
  timeoutSeconds: number,
): Promise<void> {
  await createTable(new DynamoDBClient({ endpoint: dynamodb.url, ...LOCAL_ACCESS }), LEDGER_TABLE);
  const props = { name: FUNCTION, handler: "index.handler", memoryMb: 512 };
  lambda.createFunction({ ...props, ...code, timeoutSeconds });
}
