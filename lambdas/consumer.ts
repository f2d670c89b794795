import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { handle } from "#handler";
import { CLIENT_OPTIONS } from "./aws/client-options.ts";
import { observeDrain } from "./aws/drain-observer.ts";
import { DynamoLedger } from "./aws/ledger/ledger.ts";
import { loggerOf, metricsOf } from "./aws/observability.ts";
import { SqsDeadLetters } from "./aws/sqs-dead-letters.ts";
import { deliveryOf } from "./aws/sqs-event.ts";
import { SqsSource } from "./aws/sqs-source.ts";
import { systemClock } from "./aws/system-clock.ts";
import { drainBatch } from "./core/drain/drain-batch.ts";
import { fromEnvironment } from "./core/environment.ts";

const { settings, sourceUrl, letterQueueUrl, ledgerTable } = fromEnvironment(process.env);
const sqs = new SQSClient(CLIENT_OPTIONS);
const logger = loggerOf("consumer", settings.name);
const metrics = metricsOf(settings.name);

const ports = {
  handle,
  ledger: new DynamoLedger({
    client: new DynamoDBClient(CLIENT_OPTIONS),
    table: ledgerTable,
    nowMs: systemClock.nowMs,
    memorySeconds: settings.ledgerMemorySeconds,
  }),
  deadLetters: new SqsDeadLetters({ client: sqs, queueUrl: letterQueueUrl }),
  source: new SqsSource({ client: sqs, queueUrl: sourceUrl }),
  clock: systemClock,
  report: observeDrain(logger, metrics),
  random: Math.random,
  settings,
};

/** Drains one batch of the source queue; SQS deletes every message that the answer does not list. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  logger.addContext(context);
  const nowMs = systemClock.nowMs();
  const invocation = {
    id: context.awsRequestId,
    deadlineMs: nowMs + context.getRemainingTimeInMillis(),
  };
  try {
    const deliveries = event.Records.map((record) => deliveryOf(record, nowMs));
    const failed = await drainBatch(deliveries, invocation, ports);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  } finally {
    metrics.publishStoredMetrics();
  }
}
