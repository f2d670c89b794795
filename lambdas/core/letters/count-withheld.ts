import { letterSinceMs } from "../ledger.ts";
import { isExpired, type LetterTimes, type Retention } from "./letter-expiry.ts";

export type LetterQueueView = Retention & {
  /** Messages that the dead-letter queue counts beyond the letters that the ledger lists. */
  readonly unlisted: number;
};

/**
 * How many withheld letters are among the messages that the dead-letter queue counts; their marks are
 * remembered longer. SQS's counts lag behind, so that one whose time has just ended still counts, or
 * it would raise an alarm at its very end; but only while the count has room for it, so that it hides
 * no letter that waits for somebody.
 */
export function countWithheld(
  withheld: readonly LetterTimes[],
  { nowMs, letterRetentionMs, unlisted }: LetterQueueView,
): number {
  const kept = withheld.filter((letter) => !isExpired(letter, { nowMs, letterRetentionMs }));
  const living = kept.filter(
    (letter) => (letterSinceMs(letter) ?? nowMs) + letterRetentionMs > nowMs,
  );
  const ended = kept.length - living.length;
  return living.length + Math.min(ended, Math.max(0, unlisted - living.length));
}
