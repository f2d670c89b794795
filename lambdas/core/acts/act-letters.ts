import type { Act, ActLetter } from "./act.ts";

/** Bytes of an act's letters as JSON: an item of DynamoDB holds 400 KB, a line of a log 256 KB.
 *  https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
const LETTERS_BYTES = 200_000;

/** Characters of a reason: the whole of it is in the ledger and in the letter. */
const REASON_CHARACTERS = 300;

/** The first letters that an act's record can hold, their reasons cut, and how many it leaves out. */
export function boundLetters(
  letters: readonly ActLetter[],
  bytesMax = LETTERS_BYTES,
): Pick<Act, "letters" | "omitted"> {
  const kept: ActLetter[] = [];
  let bytes = 2;
  for (const letter of letters) {
    const short = shortened(letter);
    bytes += Buffer.byteLength(JSON.stringify(short)) + 1;
    if (bytes > bytesMax) break;
    kept.push(short);
  }
  return { letters: kept, omitted: letters.length - kept.length };
}

function shortened(letter: ActLetter): ActLetter {
  const { oldReason, newReason } = letter;
  return {
    ...letter,
    oldReason: oldReason === null ? null : cut(oldReason),
    ...(newReason !== undefined && { newReason: cut(newReason) }),
  };
}

function cut(reason: string): string {
  return reason.length <= REASON_CHARACTERS
    ? reason
    : `${reason.slice(0, REASON_CHARACTERS - 1).toWellFormed()}…`;
}
