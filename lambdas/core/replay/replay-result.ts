import type { RecordRef } from "../ledger.ts";

/** What a replay came to. `replayed`, `failed` and `pending` together are the letters sent. */
export type ReplayResult = {
  readonly runId: string;
  readonly dryRun: boolean;
  /** Letters that the run looked at, those that do not match included. */
  readonly examined: number;
  /** Sent, and by the end of the run known as applied. */
  readonly replayed: number;
  /** Removed without being sent: applied before, or another copy of a letter sent in this run. */
  readonly skipped: number;
  /** Sent, failed again and back in the dead-letter queue with this reason. */
  readonly failed: readonly FailedReplay[];
  /** Sent, and not settled by the end of the run: they are in the source queue and safe. */
  readonly pending: number;
  /** Letters that stay where they were, and what else went wrong. */
  readonly errors: readonly ReplayError[];
  /** Letters may be left that match: for the limit, the time, the memory, or because another
   *  reader hides some. Run again. */
  readonly truncated: boolean;
  /** What became of each letter that was taken or could not be; absent in a dry run. */
  readonly letters?: readonly LetterOutcome[];
  /** Letters that match and stay where they are, by why. */
  readonly left: Left;
  /** As many letters failed again for one reason as the request allows. */
  readonly stopped?: Stopped;
  /** Somebody cancelled the run; the letters that it had not sent stay where they were. */
  readonly cancelled?: boolean;
  /** Letters that would be sent; in a dry run only. */
  readonly selected?: Selection;
  /** Entries that `failed` and `errors` leave out, for Lambda's answers are limited; absent = none. */
  readonly omitted?: {
    readonly failed: number;
    readonly errors: number;
    readonly letters?: number;
  };
};

export type LetterOutcome = Pick<RecordRef, "id"> & {
  readonly outcome: "replayed" | "skipped" | "failed" | "pending" | "kept";
  /** Null = not known. */
  readonly oldReason: string | null;
  readonly newReason?: string;
};

/** `expired`: records whose letter SQS has deleted. */
export type Left = Readonly<Record<"overtaken" | "held" | "cannotRun" | "expired", number>>;

export type Stopped = { readonly fingerprint: string; readonly failures: number };

export type FailedReplay = Pick<RecordRef, "id" | "key"> & { readonly reason: string };

/** `id` is the record's; that of the run where the trouble is not a record's. */
export type ReplayError = { readonly id: string; readonly error: string };

export type Selection = {
  readonly count: number;
  /** The first of them, at most {@link SELECTED_SHOWN}. */
  readonly letters: readonly SelectedLetter[];
};

export type SelectedLetter = Pick<
  RecordRef,
  "id" | "key" | "partition" | "generation" | "enqueuedAtMs"
> & {
  /** Null = not known. */
  readonly offset: string | null;
  readonly reason: string;
  readonly failedAtMs: number;
  readonly attempts: number;
};

/** Letters that a dry run shows. */
export const SELECTED_SHOWN = 100;

/** Entries of one list: four thousand reasons of a kilobyte are below the 6 MB of an answer.
 *  https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const LISTED = 1000;

/** Cuts the lists to what an answer can carry, and says so. */
export function bounded(result: ReplayResult): ReplayResult {
  const failed = result.failed.slice(0, LISTED);
  const errors = result.errors.slice(0, LISTED);
  const letters = result.letters?.slice(0, LISTED);
  const lettersLeftOut = (result.letters?.length ?? 0) - (letters?.length ?? 0);
  const omitted = {
    failed: result.failed.length - failed.length,
    errors: result.errors.length - errors.length,
    ...(lettersLeftOut > 0 && { letters: lettersLeftOut }),
  };
  if (omitted.failed + omitted.errors + lettersLeftOut === 0) return result;
  return { ...result, failed, errors, ...(letters && { letters }), omitted };
}
