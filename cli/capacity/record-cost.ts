import { SQS_LIMITS } from "../../lambdas/core/limits.ts";
import { PRICES } from "../../lambdas/core/prices.ts";

/** What one batch of one group does, as far as it costs. */
export type BatchUse = {
  /** Records in it, 1 to 10. */
  readonly fill: number;
  /** Of one record. */
  readonly handlerMs: number;
  readonly writeUnits: number;
  /** Calls of DynamoDB that the batch waits for, one after another. */
  readonly waits: number;
  /** What it writes to its log. */
  readonly logBytes: number;
};

/** Dollars by who is paid. */
export type Dollars = {
  readonly sqs: number;
  readonly lambda: number;
  readonly ledger: number;
  readonly log: number;
};

/** Memory of the consumer function. */
export const CONSUMER_GIB = 0.5;

/** One call of DynamoDB is taken as this long. */
export const LEDGER_CALL_MS = 5;

/** Bytes of one line of metrics, which the consumer writes once an invocation; measured. */
export const METRICS_LINE_BYTES = 300;

/** What this backlog's ledger costs a batch of one group on a first receive. */
export const LEDGER_USE = { writeUnits: 1, waits: 1 } as const;

/** Dollars of one batch: publishing in full batches of ten, one receive, one delete, one invocation.
 *  The handler's own reads and writes are left out, as are logs and metrics of Lambda itself. */
export function batchDollars({ fill, handlerMs, writeUnits, waits, logBytes }: BatchUse): Dollars {
  const seconds = (fill * handlerMs + waits * LEDGER_CALL_MS) / 1000;
  return {
    sqs: (fill / SQS_LIMITS.batchEntries + 2) * PRICES.sqsRequest,
    lambda: PRICES.lambdaRequest + seconds * CONSUMER_GIB * PRICES.lambdaGibSecond,
    ledger: writeUnits * PRICES.writeUnit,
    log: (logBytes / 1e9) * PRICES.logGb,
  };
}

/** The same for a million records in such batches. */
export function dollarsPerMillion(use: BatchUse): Dollars {
  const batches = 1e6 / use.fill;
  const { sqs, lambda, ledger, log } = batchDollars(use);
  return {
    sqs: sqs * batches,
    lambda: lambda * batches,
    ledger: ledger * batches,
    log: log * batches,
  };
}

export function totalDollars({ sqs, lambda, ledger, log }: Dollars): number {
  return sqs + lambda + ledger + log;
}
