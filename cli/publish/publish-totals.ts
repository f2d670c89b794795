/** A line that was not published, and why. */
export type LineOutcome = {
  /** From 1. */
  readonly line: number;
  /** The record's id, also where the command made it; undefined where the line cannot be read. */
  readonly id: string | undefined;
  readonly reason: string;
};

/** A line whose record SQS did not take for certain. */
export type FailedLine = LineOutcome & {
  /** `unknown`: SQS may have it. Published again with this id within five minutes
   *  of its first try, it is accepted once. */
  readonly arrived: "no" | "unknown";
};

/** What came of an input. Whatever its size, this stays small. */
export type PublishTotals = {
  /** Lines read, blank ones included. */
  lines: number;
  published: number;
  /** Records of each partition that SQS has; of a dry run, that it would be given. */
  readonly byPartition: number[];
  refused: number;
  /** The first of the refused lines. */
  readonly refusedLines: LineOutcome[];
  readonly failed: FailedLine[];
  /** Stand behind a failed record in their partition. */
  readonly unsent: LineOutcome[];
};

/** Refused lines that are listed; the others are counted. */
export const REFUSED_LISTED = 100;

export function emptyTotals(partitions: number): PublishTotals {
  return {
    lines: 0,
    published: 0,
    byPartition: new Array<number>(partitions).fill(0),
    refused: 0,
    refusedLines: [],
    failed: [],
    unsent: [],
  };
}

export function countPublished(totals: PublishTotals, partition: number): void {
  totals.published += 1;
  totals.byPartition[partition] = (totals.byPartition[partition] ?? 0) + 1;
}

export function countRefused(totals: PublishTotals, { line, id, reason }: LineOutcome): void {
  totals.refused += 1;
  if (totals.refusedLines.length < REFUSED_LISTED) totals.refusedLines.push({ line, id, reason });
}

/** Whether the rest of the input was left alone: later records must not overtake what failed. */
export function isStopped({ failed, unsent }: PublishTotals): boolean {
  return failed.length + unsent.length > 0;
}
