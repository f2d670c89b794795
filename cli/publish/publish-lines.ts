import { PublishError, type PublishReport } from "../../lambdas/aws/publisher/publish-error.ts";
import type { Publisher } from "../../lambdas/aws/publisher/publisher.ts";
import type { GoodLine } from "./check-line.ts";
import type { ReadLine } from "./event-lines.ts";
import { slicesOf } from "./line-slices.ts";
import { countPublished, countRefused, isStopped, type PublishTotals } from "./publish-totals.ts";

export type PublishRun = {
  /** Undefined for a dry run: records are only checked. */
  readonly publisher: Pick<Publisher, "publish"> | undefined;
  readonly partitions: number;
  readonly nowMs: () => number;
  /** Called when records were published, with the input's bytes read so far. */
  readonly onProgress: (totals: PublishTotals, bytesRead: number) => void;
  /** Whether to read no further; what was given to the publisher is followed to its end. */
  readonly isInterrupted: () => boolean;
};

/**
 * Publishes lines in their order, a bounded number at a time. A refused line is counted and left
 * out; the first record that fails ends the reading.
 * @param totals counted up as lines are dealt with, so that they are right also where this throws
 * @throws where the input cannot be read, or on a defect of the publisher.
 */
export async function publishLines(
  lines: AsyncIterable<ReadLine>,
  run: PublishRun,
  totals: PublishTotals,
): Promise<void> {
  // One slice at a time: only the end of a call says what failed, and what is read later must not
  // overtake it.
  for await (const { good, refused, lastLine, bytesRead } of slicesOf(lines, run)) {
    for (const outcome of refused) countRefused(totals, outcome);
    await publishSlice(good, run, totals);
    totals.lines = lastLine;
    run.onProgress(totals, bytesRead);
    if (isStopped(totals) || run.isInterrupted()) break;
  }
}

async function publishSlice(
  slice: readonly GoodLine[],
  { publisher }: PublishRun,
  totals: PublishTotals,
): Promise<void> {
  if (publisher === undefined) {
    for (const { partition } of slice) countPublished(totals, partition);
    return;
  }
  try {
    const { accepted } = await publisher.publish(slice.map(({ record }) => record));
    for (const { partition } of accepted) countPublished(totals, partition);
  } catch (error) {
    if (!(error instanceof PublishError)) throw error;
    countFailure(error, slice, totals);
  }
}

function countFailure(
  { accepted, failed, unsent, refused }: PublishReport,
  slice: readonly GoodLine[],
  totals: PublishTotals,
): void {
  const lineOf = (index: number): number => slice[index]?.line ?? 0;
  for (const { partition } of accepted) countPublished(totals, partition);
  for (const { index, id, reason, arrived } of failed) {
    totals.failed.push({ line: lineOf(index), id, reason, arrived });
  }
  for (const { index, id, reason } of unsent) {
    totals.unsent.push({ line: lineOf(index), id, reason });
  }
  for (const { index, id, reason } of refused) {
    countRefused(totals, { line: lineOf(index), id, reason });
  }
}
