import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Context } from "aws-lambda";
import { v7 } from "uuid";
import { CLIENT_OPTIONS } from "./aws/client-options.ts";
import { DynamoLedger } from "./aws/ledger.ts";
import { SqsLetterQueue, SqsReplaySource } from "./aws/letter-queue.ts";
import { loggerOf } from "./aws/observability.ts";
import { DynamoReplayLedger } from "./aws/replay-ledger.ts";
import { systemClock } from "./aws/system-clock.ts";
import { fromEnvironment } from "./core/environment.ts";
import { replay } from "./core/replay/replay.ts";
import { replayLog } from "./core/replay/replay-log.ts";
import { parseReplayRequest } from "./core/replay/replay-request.ts";
import type { ReplayResult } from "./core/replay/replay-result.ts";

const { settings, sourceUrl, letterQueueUrl, ledgerTable } = fromEnvironment(process.env);
const sqs = new SQSClient(CLIENT_OPTIONS);
const table = {
  client: new DynamoDBClient(CLIENT_OPTIONS),
  table: ledgerTable,
  nowMs: systemClock.nowMs,
};
const logger = loggerOf("replay", settings.name);

const ports = {
  letters: new SqsLetterQueue({ client: sqs, queueUrl: letterQueueUrl }),
  source: new SqsReplaySource({ client: sqs, queueUrl: sourceUrl }),
  records: new DynamoLedger({ ...table, memorySeconds: settings.ledgerMemorySeconds }),
  ledger: new DynamoReplayLedger(table),
  clock: systemClock,
  settings,
};

/** Replays dead letters as an operator asks; what it cannot do is thrown, with all that the operator
 *  needs to know in the message. Every run leaves one line in the log. */
export async function handler(event: unknown, context: Context): Promise<ReplayResult> {
  logger.addContext(context);
  const runId = v7();
  try {
    const request = parseReplayRequest(event, settings);
    const deadlineMs = systemClock.nowMs() + context.getRemainingTimeInMillis();
    const result = await replay(request, { runId, deadlineMs }, ports);
    logger.info("replay ended", replayLog(request, result));
    return result;
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error));
    logger.error("replay did not run", { runId, request: event, error: cause });
    throw error;
  }
}
