/** Newest first, one a minute: what the snapshots of a backlog measured in the last minutes. */
export type NewestSizes = {
  readonly counts: readonly number[];
  readonly letters: readonly number[];
};

/** SQS's counts may be a minute behind, so that one 0 alone says too little. */
export const SIZES_NEEDED = 2;

/** How old a measurement may be. */
export const SIZES_WITHIN_MS = 5 * 60_000;

/**
 * Why the generation before is not drained, as a sentence that says what to do; undefined = it is: its
 * two newest snapshots found no record, and the newest no dead letter.
 */
export function whyNotDrained(
  backlog: string,
  { counts, letters }: NewestSizes,
): string | undefined {
  const newest = counts.slice(0, SIZES_NEEDED);
  if (newest.length < SIZES_NEEDED) {
    return `Expected ${SIZES_NEEDED} snapshots of the backlog ${backlog} in the last ${SIZES_WITHIN_MS / 60_000} minutes, got ${newest.length}. Nothing was changed: wait for them, or deploy with drainFirst = false if ${backlog} is gone or known to be empty`;
  }
  const most = Math.max(...newest);
  const [dead = 0] = letters;
  if (most === 0 && dead === 0) return undefined;
  return `Expected the backlog ${backlog} to be drained, got ${most} records and ${dead} dead letters in it. Its records would be handled beside newer ones of the same keys. Nothing was changed: deploy with drainFirst = true until \`backlogorder status ${backlog}\` says 0, and replay or give up its letters (docs/repartition.md)`;
}
