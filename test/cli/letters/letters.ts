import { type Letter, letterOf } from "../../../cli/letters/letter.ts";
import type { LedgerItem } from "../../../lambdas/core/ledger.ts";

export const NOW = Date.parse("2026-01-31T03:00:00Z");
export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** A dead record's item. */
export function deadItem(given: Partial<LedgerItem> = {}): LedgerItem {
  return {
    id: "a",
    key: "player:1",
    partition: 1,
    offset: "10",
    enqueuedAtMs: NOW - 10 * MINUTE,
    generation: 0,
    attempts: 3,
    attemptId: undefined,
    state: "dead",
    messageId: "m",
    reason: "no funds",
    failedAtMs: NOW - 5 * MINUTE,
    ...given,
  };
}

/** A letter in a queue that keeps letters for 14 days. */
export function letter(given: Partial<LedgerItem> = {}): Letter {
  return letterOf(deadItem(given), 14 * DAY);
}
