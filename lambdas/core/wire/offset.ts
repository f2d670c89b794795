import { OFFSET_DIGITS } from "../limits.ts";

/** An offset: 1 to 39 decimal digits, as SQS writes a SequenceNumber. */
export const OFFSET_PATTERN = new RegExp(`^[0-9]{1,${OFFSET_DIGITS}}$`);

/** Whether a value is an offset. */
export function isOffset(text: unknown): text is string {
  return typeof text === "string" && OFFSET_PATTERN.test(text);
}

/** An offset at the full 39 digits, so that the ledger's sort keys order as the integers do. */
export function paddedOffset(offset: string): string {
  return offset.padStart(OFFSET_DIGITS, "0");
}

/** Negative, zero or positive as `left` is before, at or after `right`. Unknown offsets sort last,
 *  and equal among themselves. */
export function compareOffsets(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined) {
    return Number(left === undefined) - Number(right === undefined);
  }
  // Of one length, as those of one queue nearly always are, they order as texts.
  const sameLength = left.length === right.length;
  const a = sameLength ? left : paddedOffset(left);
  const b = sameLength ? right : paddedOffset(right);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
