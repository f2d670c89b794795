import { batchMs, type Load } from "./load.ts";
import { type KeyShare, partitionShares } from "./partition-shares.ts";

/** A partition that is busy for more of its time than this leaves no room for bursts and retries. */
export const UTILISATION_MAX = 0.7;

/** Counts that are offered: doubling one later means a new backlog, so they begin where the default
 *  settings do. */
const COUNTS = [64, 128, 256, 512, 1024, 2048, 4096];

export type PartitionChoice = {
  readonly partitions: number;
  /** Share of its time for which the busiest partition is in flight, at full batches. From 1 on its
   *  backlog grows for ever. */
  readonly worstUtilisation: number;
  /** The same for a partition that held the busiest key alone: no count can go below it. */
  readonly keyUtilisation: number;
};

/** Records a second that one partition can do in full batches. */
export function partitionRate(load: Load): number {
  return (1000 * load.batchSize) / batchMs(load, load.batchSize);
}

/** What a partition count comes to. */
export function chooseCount(
  load: Load,
  shares: readonly KeyShare[],
  partitions: number,
): PartitionChoice {
  const worst = Math.max(...partitionShares(shares, partitions));
  const utilisationOf = (share: number): number =>
    (share * load.ratePerSecond) / partitionRate(load);
  return {
    partitions,
    worstUtilisation: utilisationOf(worst),
    keyUtilisation: utilisationOf(shares[0]?.share ?? 0),
  };
}

/** The smallest count whose busiest partition has room, or, where one key alone is too busy, the
 *  smallest at which hardly anything else shares its partition. */
export function suggestCount(load: Load, shares: readonly KeyShare[]): PartitionChoice {
  const choices = COUNTS.map((count) => chooseCount(load, shares, count));
  const roomy = choices.find(({ worstUtilisation }) => worstUtilisation <= UTILISATION_MAX);
  const alone = choices.filter(
    ({ worstUtilisation, keyUtilisation }) => worstUtilisation <= 1.1 * keyUtilisation,
  );
  const keepingUp = alone.find(({ worstUtilisation }) => worstUtilisation < 1);
  const last = chooseCount(load, shares, COUNTS.at(-1) ?? 1);
  return roomy ?? keepingUp ?? alone[0] ?? last;
}
