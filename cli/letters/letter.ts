import { fingerprintOf, groupIdOf } from "../../lambdas/core/fingerprint.ts";
import { type LedgerItem, letterSinceMs } from "../../lambdas/core/ledger.ts";
import { EXPIRY_TOLERANCE_MS } from "../../lambdas/core/letters/letter-expiry.ts";

/** One dead letter as the ledger knows it. Its payload is in the dead-letter queue only. */
export type Letter = Pick<
  LedgerItem,
  "id" | "key" | "partition" | "offset" | "generation" | "attempts" | "reason" | "messageId"
> & {
  /** Name of the letter's fingerprint. */
  readonly group: string;
  readonly fingerprint: string;
  readonly enqueuedAtMs: number;
  readonly failedAtMs: number | undefined;
  /** When SQS deletes it for good. */
  readonly expiresAtMs: number | undefined;
};

/** A dead record's item as a letter; `retentionMs` is the dead-letter queue's. */
export function letterOf(item: LedgerItem, retentionMs: number): Letter {
  const { id, key, partition, offset, generation, attempts, reason, messageId } = item;
  const { enqueuedAtMs, failedAtMs } = item;
  const fingerprint = fingerprintOf(reason ?? "");
  const sinceMs = letterSinceMs(item);
  return {
    id,
    key,
    partition,
    offset,
    generation,
    attempts,
    reason,
    messageId,
    group: groupIdOf(fingerprint),
    fingerprint,
    enqueuedAtMs,
    failedAtMs,
    expiresAtMs: sinceMs === undefined ? undefined : sinceMs + retentionMs,
  };
}

/** Whether SQS has surely deleted it by now: the ledger remembers records longer than letters live. */
export function isExpired({ expiresAtMs }: Pick<Letter, "expiresAtMs">, nowMs: number): boolean {
  return expiresAtMs !== undefined && expiresAtMs + EXPIRY_TOLERANCE_MS <= nowMs;
}
