import { type LedgerItem, letterSinceMs } from "../ledger.ts";
import type { Settings } from "../settings.ts";

/** What tells how long SQS has kept a letter. */
export type LetterTimes = Pick<LedgerItem, "failedAtMs" | "letterSentAtMs">;

/** What a letter's age is held against. */
export type Retention = { readonly nowMs: number; readonly letterRetentionMs: number };

export function retentionAt(
  nowMs: number,
  { letterRetentionSeconds }: Pick<Settings, "letterRetentionSeconds">,
): Retention {
  return { nowMs, letterRetentionMs: letterRetentionSeconds * 1000 };
}

/**
 * How long a letter may live beyond what the ledger knows. It is sent in the invocation that noted its
 * failure, which lasts 15 minutes at most, and SQS takes up to 15 minutes to heed a changed retention.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
 */
export const EXPIRY_TOLERANCE_MS = 30 * 60_000;

/**
 * Whether SQS has surely deleted the letter: the ledger remembers records longer than letters live.
 * One whose time is not known counts as living, and so does one whose time has just ended, for a
 * living letter that is taken for a deleted one gets published a second time.
 */
export function isExpired(letter: LetterTimes, { nowMs, letterRetentionMs }: Retention): boolean {
  const sinceMs = letterSinceMs(letter);
  return sinceMs !== undefined && sinceMs + letterRetentionMs + EXPIRY_TOLERANCE_MS <= nowMs;
}

/** What an act says of such a letter; what was wanted of it stands in front. */
export const EXPIRED =
  "SQS has deleted its letter, for the retention has ended; publish the event again under a new id if the game lacks it";
