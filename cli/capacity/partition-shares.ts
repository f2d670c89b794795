import { partitionOf } from "../../lambdas/core/partition.ts";
import type { Load } from "./load.ts";

export type KeyShare = { readonly key: string; readonly share: number };

/** Share of all records that each key publishes, the busiest first; together 1. */
export function keyShares({ skew, keys }: Pick<Load, "skew" | "keys">): readonly KeyShare[] {
  const weights = Array.from({ length: keys }, (_, place) =>
    skew.kind === "uniform" ? 1 : (place + 1) ** -skew.exponent,
  );
  const sum = weights.reduce((left, right) => left + right, 0);
  return weights.map((weight, place) => ({ key: `player:${place + 1}`, share: weight / sum }));
}

/** Share of all records that goes to each partition, by its number; together 1. */
export function partitionShares(
  shares: readonly KeyShare[],
  partitions: number,
): readonly number[] {
  const sums = Array<number>(partitions).fill(0);
  for (const { key, share } of shares) {
    const partition = partitionOf(key, partitions);
    sums[partition] = (sums[partition] ?? 0) + share;
  }
  return sums;
}
