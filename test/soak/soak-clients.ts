import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { type Publisher, publisherFor } from "../../lambdas/aws/publisher/publisher.ts";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import { SOAK_SETTINGS } from "./soak-settings.ts";
import type { SoakWorld } from "./soak-world.ts";

/** What the soak asks of the backlog, as a game server and an operator do. */
export type SoakClients = {
  readonly dynamo: DynamoDBClient;
  readonly lambda: LambdaClient;
  readonly walletTable: string;
  readonly ledgerTable: string;
  readonly replayFunction: string;
  publisher(): Promise<Publisher>;
  /** Messages in the source queue, in flight ones included. */
  waiting(): Promise<number>;
  /** Messages in the dead-letter queue, in flight ones included. */
  letters(): Promise<number>;
  close(): void;
};

const ACCESS = {
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
};

export function soakClients({ environment, outputs }: SoakWorld): SoakClients {
  const options = (service: string) => ({
    ...ACCESS,
    endpoint: namedIn(environment, `AWS_ENDPOINT_URL_${service}`),
  });
  const sqs = new SQSClient(options("SQS"));
  const ssm = new SSMClient(options("SSM"));
  const dynamo = new DynamoDBClient(options("DYNAMODB"));
  const lambda = new LambdaClient({ ...options("LAMBDA"), maxAttempts: 1 });
  const sizeOf = async (queue: string): Promise<number> => {
    const { visible, inFlight, delayed } = await readQueueSize(sqs, namedIn(outputs, queue));
    return visible + inFlight + delayed;
  };
  return {
    dynamo,
    lambda,
    walletTable: namedIn(outputs, "WalletTableName"),
    ledgerTable: namedIn(outputs, "LedgerTableName"),
    replayFunction: namedIn(outputs, "ReplayFunctionName"),
    async publisher(): Promise<Publisher> {
      const Name = `/backlogorder/${SOAK_SETTINGS.name}`;
      const { Parameter } = await ssm.send(new GetParameterCommand({ Name }));
      return publisherFor(Parameter?.Value ?? "", sqs);
    },
    waiting: () => sizeOf("SourceQueueUrl"),
    letters: () => sizeOf("LetterQueueUrl"),
    close(): void {
      for (const client of [sqs, ssm, dynamo, lambda]) client.destroy();
    },
  };
}

function namedIn(values: Readonly<Record<string, string>>, name: string): string {
  const value = values[name];
  if (value === undefined) throw new Error(`Expected ${name}, got ${Object.keys(values)}`);
  return value;
}
