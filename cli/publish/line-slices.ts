import { checkLine, type GoodLine } from "./check-line.ts";
import type { ReadLine } from "./event-lines.ts";
import type { LineOutcome } from "./publish-totals.ts";

/** Consecutive lines of the input, those with a record in their order. */
export type LineSlice = {
  /** No two of one id: the publisher refuses a call with such, SQS takes them for one record. */
  readonly good: readonly GoodLine[];
  readonly refused: readonly LineOutcome[];
  /** Number of its last line, from 1. */
  readonly lastLine: number;
  /** Bytes of the input up to the end of that line. */
  readonly bytesRead: number;
};

/** Lines of a slice, and so what a failure leaves in doubt. */
export const LINES_PER_SLICE = 1000;

/** Cuts the input into slices, checking each line; nothing is read ahead of the slice in hand but
 *  one line. */
export async function* slicesOf(
  lines: AsyncIterable<ReadLine>,
  { partitions, nowMs }: { readonly partitions: number; readonly nowMs: () => number },
): AsyncGenerator<LineSlice> {
  let slice = emptySlice();
  for await (const { event, bytesRead } of lines) {
    const checked = checkLine(event, partitions, nowMs());
    const repeats = checked.kind === "good" && slice.ids.has(checked.record.id);
    if (repeats || slice.lines >= LINES_PER_SLICE) {
      yield slice;
      slice = emptySlice();
    }
    slice.lines += 1;
    slice.lastLine = event.line;
    slice.bytesRead = bytesRead;
    if (checked.kind === "refused") slice.refused.push(checked);
    if (checked.kind === "good") {
      slice.good.push(checked);
      slice.ids.add(checked.record.id);
    }
  }
  if (slice.lines > 0) yield slice;
}

function emptySlice(): OpenSlice {
  return { good: [], refused: [], ids: new Set(), lines: 0, lastLine: 0, bytesRead: 0 };
}

type OpenSlice = {
  readonly good: GoodLine[];
  readonly refused: LineOutcome[];
  readonly ids: Set<string>;
  lines: number;
  lastLine: number;
  bytesRead: number;
};
