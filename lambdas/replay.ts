import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Context } from "aws-lambda";
import { LambdaConsumerSwitch } from "./aws/act-consumer-switch.ts";
import { operatorsFunction } from "./aws/act-function.ts";
import { CLIENT_OPTIONS } from "./aws/client-options.ts";
import { DynamoLedger } from "./aws/ledger/ledger.ts";
import { DynamoLetterMarks } from "./aws/ledger/letter-marks.ts";
import { DynamoReplayLedger } from "./aws/ledger/replay-ledger.ts";
import { SqsLetterQueue, SqsReplaySource } from "./aws/letter-queue.ts";
import { loggerOf } from "./aws/observability.ts";
import { systemClock } from "./aws/system-clock.ts";
import { consumerOperations } from "./core/acts/consumer-operations.ts";
import { fromEnvironment, mappingIn } from "./core/environment.ts";
import { letterOperations } from "./core/letters/letter-operations.ts";
import { replayOperations } from "./core/letters/replay-operations.ts";

const { settings, sourceUrl, letterQueueUrl, ledgerTable } = fromEnvironment(process.env);
const mapping = mappingIn(process.env);
const sqs = new SQSClient(CLIENT_OPTIONS);
const table = {
  client: new DynamoDBClient(CLIENT_OPTIONS),
  table: ledgerTable,
  nowMs: systemClock.nowMs,
  memorySeconds: settings.ledgerMemorySeconds,
};

const ports = {
  letters: new SqsLetterQueue({ client: sqs, queueUrl: letterQueueUrl }),
  source: new SqsReplaySource({ client: sqs, queueUrl: sourceUrl }),
  records: new DynamoLedger(table),
  ledger: new DynamoReplayLedger(table),
  marks: new DynamoLetterMarks(table),
  clock: systemClock,
  settings,
};
const lambda = new LambdaClient(CLIENT_OPTIONS);
const consumer = new LambdaConsumerSwitch({ lambda, mapping, ledger: table, clock: systemClock });

const operators = operatorsFunction({
  operations: {
    ...replayOperations(ports),
    ...letterOperations(ports, settings),
    ...consumerOperations(consumer),
  },
  fallback: "replay",
  ledger: table,
  logger: loggerOf("replay", settings.name),
});

/** Does what an operator asks: replays dead letters, unless `operation` says otherwise. What it cannot
 *  do is thrown, with all that the operator needs to know in the message. */
export function handler(event: unknown, context: Context): Promise<unknown> {
  return operators(event, context);
}
