import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { Handler } from "../../lambdas/aws/ledger/effects.ts";
import { DynamoLedger } from "../../lambdas/aws/ledger/ledger.ts";
import { OPEN_INDEX } from "../../lambdas/aws/ledger/ledger-keys.ts";
import { deliveryOf } from "../../lambdas/aws/sqs-event.ts";
import { systemClock } from "../../lambdas/aws/system-clock.ts";
import { drainBatch } from "../../lambdas/core/drain/drain-batch.ts";
import type { Report } from "../../lambdas/core/drain/drain-report.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";
import type { MeasuredTable } from "../measure/create-table.ts";
import { CONTEXT, PARTITIONS } from "./batch.ts";

/** A function that drains one batch. */
export type Consumer = (event: SQSEvent) => Promise<SQSBatchResponse>;

export const LEDGER_TABLE: MeasuredTable = {
  name: "ledger",
  partitionKey: "pk",
  sortKey: "sk",
  index: { name: OPEN_INDEX, partitionKey: "openPartition", sortKey: "openOffset" },
};

export type BacklogorderOptions = {
  readonly client: DynamoDBClient;
  readonly handle: Handler;
  /** @default - told to nobody */
  readonly report?: Report;
  /** At the end of each invocation. @default - nothing */
  readonly flush?: () => void;
};

/** The consumer as lambdas/consumer.ts wires it, with a client of the measurement's choice. It has no
 *  queues: a scenario in which it would need one fails. */
export function backlogorderConsumer({
  client,
  handle,
  report = (): void => {},
  flush,
}: BacklogorderOptions): Consumer {
  const settings = settingsOf({ partitions: PARTITIONS });
  const ports = {
    handle,
    ledger: new DynamoLedger({
      client,
      table: LEDGER_TABLE.name,
      nowMs: systemClock.nowMs,
      memorySeconds: settings.ledgerMemorySeconds,
    }),
    deadLetters: { send: noQueue },
    // What stays is shown again by the scenario itself.
    source: { setVisibility: async (): Promise<void> => {} },
    clock: systemClock,
    report,
    random: Math.random,
    settings,
  };
  return async (event) => {
    const nowMs = systemClock.nowMs();
    const invocation = {
      id: CONTEXT.awsRequestId,
      deadlineMs: nowMs + CONTEXT.getRemainingTimeInMillis(),
    };
    const deliveries = event.Records.map((record) => deliveryOf(record, nowMs));
    const failed = await drainBatch(deliveries, invocation, ports);
    flush?.();
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

async function noQueue(): Promise<never> {
  throw new Error("Expected no dead letter in this measurement");
}
