import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Context } from "aws-lambda";
import { operatorsFunction } from "./aws/act-function.ts";
import { CLIENT_OPTIONS } from "./aws/client-options.ts";
import { DynamoLedger } from "./aws/ledger/ledger.ts";
import { DynamoLetterMarks } from "./aws/ledger/letter-marks.ts";
import { DynamoReplayLedger } from "./aws/ledger/replay-ledger.ts";
import { SqsLetterQueue } from "./aws/letter-queue.ts";
import { loggerOf } from "./aws/observability.ts";
import { systemClock } from "./aws/system-clock.ts";
import { allowsEdit, fromEnvironment } from "./core/environment.ts";
import { payloadOperations } from "./core/letters/letter-operations.ts";

const { settings, letterQueueUrl, ledgerTable } = fromEnvironment(process.env);
const table = {
  client: new DynamoDBClient(CLIENT_OPTIONS),
  table: ledgerTable,
  nowMs: systemClock.nowMs,
  memorySeconds: settings.ledgerMemorySeconds,
};

const ports = {
  letters: new SqsLetterQueue({ client: new SQSClient(CLIENT_OPTIONS), queueUrl: letterQueueUrl }),
  records: new DynamoLedger(table),
  ledger: new DynamoReplayLedger(table),
  marks: new DynamoLetterMarks(table),
  clock: systemClock,
  settings,
};

const operators = operatorsFunction({
  operations: payloadOperations(ports, { allowEdit: allowsEdit(process.env) }),
  fallback: "show",
  ledger: table,
  logger: loggerOf("payload", settings.name),
});

/** Shows, edits or purges one letter: what only administrators may. What it cannot do is thrown, with
 *  all that they need to know in the message. */
export function handler(event: unknown, context: Context): Promise<unknown> {
  return operators(event, context);
}
