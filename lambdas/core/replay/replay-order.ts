import type { RecordRef } from "../ledger.ts";
import { compareOffsets } from "../wire/offset.ts";

/** What decides a letter's turn. */
export type Turnable = Pick<RecordRef, "id" | "offset" | "enqueuedAtMs">;

/**
 * Order of a replay: oldest offset first, unknown offsets last and among themselves by publish time.
 * It is total, so that what a run takes does not depend on the order in which SQS gave the letters.
 */
export function compareTurns(left: Turnable, right: Turnable): number {
  return (
    compareOffsets(left.offset, right.offset) ||
    left.enqueuedAtMs - right.enqueuedAtMs ||
    compareIds(left.id, right.id)
  );
}

function compareIds(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
