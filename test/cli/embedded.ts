import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateQueueCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import { startCloudWatch } from "../../local/cloudwatch/server.ts";
import { startDynamoDb } from "../../local/dynamodb/server.ts";
import { startSqs } from "../../local/sqs/server.ts";
import { startSsm } from "../../local/ssm/server.ts";
import { createLedgerTable } from "../embedded/create-ledger-table.ts";
import { OPERATIONS, PUBLISHING } from "./parameters.ts";

export const TABLE = "ledger";

/** A backlog without its functions: table, queues and parameters on the embedded services. */
export async function startBacklog(name: string) {
  const [sqs, dynamoDb, cloudWatch, ssm] = await Promise.all([
    startSqs(),
    startDynamoDb(),
    startCloudWatch(),
    startSsm(),
  ]);
  const sqsClient = new SQSClient({ endpoint: sqs.url });
  const dynamoDbClient = new DynamoDBClient({ endpoint: dynamoDb.url });
  await createLedgerTable(dynamoDbClient, TABLE);
  const [sourceUrl, letterQueueUrl] = await Promise.all([
    createQueue(sqsClient, "source.fifo"),
    createQueue(sqsClient, "letters.fifo"),
  ]);
  const publishing = { ...PUBLISHING, queueUrl: sourceUrl };
  const operations = { ...OPERATIONS, ledgerTable: TABLE, sourceUrl, letterQueueUrl };
  ssm.put(`/backlogorder/${name}`, JSON.stringify(publishing));
  ssm.put(`/backlogorder/${name}/operations`, JSON.stringify(operations));
  const endpoints = {
    AWS_ENDPOINT_URL_SQS: sqs.url,
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.url,
    AWS_ENDPOINT_URL_CLOUDWATCH: cloudWatch.url,
    AWS_ENDPOINT_URL_SSM: ssm.url,
    // Nothing listens there: what asks Lambda must do without an answer.
    AWS_ENDPOINT_URL_LAMBDA: "http://127.0.0.1:9",
  };
  return {
    dynamoDbClient,
    cloudWatch,
    sqs,
    send: (queue: "source" | "letters", group: string, id: string) =>
      sqsClient.send(
        new SendMessageCommand({
          QueueUrl: queue === "source" ? sourceUrl : letterQueueUrl,
          MessageBody: "{}",
          MessageGroupId: group,
          MessageDeduplicationId: id,
        }),
      ),
    /** Records in the source queue. */
    async waiting() {
      const { visible, inFlight } = await readQueueSize(sqsClient, sourceUrl);
      return visible + inFlight;
    },
    /** What a process needs to speak to these services. */
    environment: { ...CREDENTIALS, ...endpoints },
    /** Runs the command as a process of its own. */
    command: (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
      runProcess(words, { ...CREDENTIALS, ...endpoints, ...environment }),
    async close() {
      sqsClient.destroy();
      dynamoDbClient.destroy();
      await Promise.all([sqs, dynamoDb, cloudWatch, ssm].map((server) => server.close()));
    },
  };
}

const CREDENTIALS = {
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "test",
  AWS_SECRET_ACCESS_KEY: "test",
};

export const COMMAND = fileURLToPath(new URL("../../cli/backlogorder.ts", import.meta.url));

type Ended = { readonly exitCode: number; readonly out: string; readonly errors: string };

function runProcess(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [COMMAND, ...words],
      { env, timeout: 30_000 },
      (_, out, errors) => resolve({ exitCode: child.exitCode ?? -1, out, errors }),
    );
  });
}

async function createQueue(client: SQSClient, QueueName: string) {
  const { QueueUrl = "" } = await client.send(
    new CreateQueueCommand({
      QueueName,
      Attributes: { FifoQueue: "true", MessageRetentionPeriod: "1209600" },
    }),
  );
  return QueueUrl;
}
