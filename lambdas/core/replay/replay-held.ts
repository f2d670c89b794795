import { Heap } from "heap-js";
import { messageBytes } from "../wire/message-size.ts";
import type { Letter } from "./replay-letter.ts";
import { compareTurns } from "./replay-order.ts";

/** Bytes of letters that a run holds at most: SQS cannot receive by id, so what is to be sent later
 *  must be kept from the scan. */
const HELD_BYTES = 64 * 1024 * 1024;

/** Letters in hand to be sent: of all that were offered, the oldest that fit. */
export type HeldLetters = {
  /** Keeps a letter, where it is among the oldest; lets newer ones go to make room. */
  readonly offer: (letter: Letter) => void;
  readonly count: () => number;
  /** Whether a letter was let go. */
  readonly wasCut: () => boolean;
  /** Oldest first. */
  readonly letters: () => readonly Letter[];
};

/** Holds at most `limit` letters and {@link HELD_BYTES} of them. */
export function holdOldest(limit: number, bytesMax = HELD_BYTES): HeldLetters {
  const newestFirst = new Heap<Letter>((left, right) => compareTurns(right.record, left.record));
  let bytes = 0;
  /** The oldest letter let go: none behind it is held, or an order would have a hole. */
  let cut: Letter | undefined;
  return {
    offer(letter): void {
      if (cut !== undefined && compareTurns(letter.record, cut.record) >= 0) return;
      newestFirst.push(letter);
      bytes += bytesOf(letter);
      while (newestFirst.length > limit || bytes > bytesMax) {
        cut = newestFirst.pop() as Letter;
        bytes -= bytesOf(cut);
      }
    },
    count: () => newestFirst.length,
    wasCut: () => cut !== undefined,
    letters: () =>
      newestFirst.toArray().toSorted((left, right) => compareTurns(left.record, right.record)),
  };
}

function bytesOf({ delivery }: Letter): number {
  return messageBytes(delivery.body, delivery.attributes);
}
