import type { Load } from "./load.ts";
import { partitionRate } from "./partition-count.ts";

const HOUR_SECONDS = 3600;

/**
 * Seconds until all that was published in an hour without consumers is handled, while publishing goes
 * on; Infinity where the busiest partition, or all batches together, cannot keep up. Full batches
 * throughout, as in any backlog.
 */
export function hourOutageDrainSeconds(load: Load, shares: readonly number[]): number {
  const slowest = Math.max(...shares) * load.ratePerSecond;
  const byPartition = secondsToDrain(slowest, partitionRate(load));
  const byAll = secondsToDrain(load.ratePerSecond, load.concurrency * partitionRate(load));
  return Math.max(byPartition, byAll);
}

function secondsToDrain(publishedPerSecond: number, handledPerSecond: number): number {
  const spare = handledPerSecond - publishedPerSecond;
  return spare <= 0 ? Number.POSITIVE_INFINITY : (publishedPerSecond * HOUR_SECONDS) / spare;
}
