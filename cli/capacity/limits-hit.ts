import type { Load } from "./load.ts";

/** A bound of the services, and how near the load comes to it. */
export type LimitUse = {
  readonly what: string;
  readonly used: number;
  readonly limit: number;
};

/** What the limits are compared with. */
export type Demand = Pick<Load, "ratePerSecond" | "concurrency"> & {
  /** Records a second of the busiest partition, as published. */
  readonly worstPartitionRate: number;
  /** Ledger entries a second, of all partitions and of the busiest one. */
  readonly entriesPerSecond: number;
  readonly worstEntriesPerSecond: number;
  /** Batches under way at once, at most. */
  readonly concurrencyMax: number;
};

/** Records that may wait before SQS no longer sees groups behind the oldest of them, and as many may
 *  be in flight. */
export const LOOK_BACK_RECORDS = 120_000;

const GROUP_RECORDS_PER_SECOND = 3000;
const DYNAMO_PARTITION_WRITES = 1000;
const NEW_TABLE_WRITES = 4000;
const RECORDS_IN_FLIGHT_PER_BATCH = 10;

/**
 * The services' bounds, the nearest first.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/high-throughput-fifo.html
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
export function limitsHit(demand: Demand): readonly LimitUse[] {
  const limits: readonly LimitUse[] = [
    {
      what: "records a second of one message group (SQS)",
      used: demand.worstPartitionRate,
      limit: GROUP_RECORDS_PER_SECOND,
    },
    {
      what: "records in flight (SQS)",
      used: demand.concurrencyMax * RECORDS_IN_FLIGHT_PER_BATCH,
      limit: LOOK_BACK_RECORDS,
    },
    {
      what: "batches at once (Lambda)",
      used: demand.concurrencyMax,
      limit: demand.concurrency,
    },
    {
      what: "ledger writes a second of one partition (DynamoDB)",
      used: demand.worstEntriesPerSecond,
      limit: DYNAMO_PARTITION_WRITES,
    },
    {
      what: "ledger writes a second of a new table (DynamoDB)",
      used: demand.entriesPerSecond,
      limit: NEW_TABLE_WRITES,
    },
  ];
  return limits.toSorted((left, right) => right.used / right.limit - left.used / left.limit);
}
