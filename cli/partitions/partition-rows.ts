import type { Backlog, Blocked } from "../../lambdas/core/backlog.ts";
import type { LedgerItem } from "../../lambdas/core/ledger.ts";
import type { Letter } from "../letters/letter.ts";

/** One partition of which the ledger has something to say. */
export type PartitionRow = {
  readonly partition: number;
  /** The record that the others wait behind; undefined where none is being retried. */
  readonly head: Blocked | undefined;
  /** Records that failed at least once and are in the source queue. */
  readonly retrying: number;
  readonly letters: number;
  /** Age of the oldest of both. */
  readonly oldestAgeMs: number;
};

/** Partitions with a record that is being retried, or a letter: blocked ones first, the oldest
 *  first. Pure. */
export function partitionRows(
  open: readonly LedgerItem[],
  { blocked, count }: Pick<Backlog, "blocked" | "count">,
  letters: readonly Letter[],
  nowMs: number,
): readonly PartitionRow[] {
  const heads = new Map(blocked.map((head) => [head.partition, head]));
  // With an empty source queue nothing is retried, whatever the ledger still lists.
  const waiting = count === 0 ? [] : open.filter(({ state }) => state === "retrying");
  const retrying = Map.groupBy(waiting, ({ partition }) => partition);
  const dead = Map.groupBy(letters, ({ partition }) => partition);
  return [...new Set([...retrying.keys(), ...dead.keys()])]
    .map((partition) => {
      const records = [...(retrying.get(partition) ?? []), ...(dead.get(partition) ?? [])];
      return {
        partition,
        head: heads.get(partition),
        retrying: retrying.get(partition)?.length ?? 0,
        letters: dead.get(partition)?.length ?? 0,
        oldestAgeMs: records.reduce(
          (oldest, { enqueuedAtMs }) => Math.max(oldest, nowMs - enqueuedAtMs),
          0,
        ),
      };
    })
    .toSorted(worstFirst);
}

function worstFirst(left: PartitionRow, right: PartitionRow): number {
  const blocked = Number(right.head !== undefined) - Number(left.head !== undefined);
  return (
    blocked ||
    (right.head?.ageMs ?? right.oldestAgeMs) - (left.head?.ageMs ?? left.oldestAgeMs) ||
    left.partition - right.partition
  );
}
