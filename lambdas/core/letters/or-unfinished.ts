import { reasonOf } from "../dead-letter.ts";
import { LetterUnfinishedError } from "./letter-ports.ts";

/** A step of an act on one letter. @throws LetterUnfinishedError where its outcome is not known, with
 *  what `saying` makes of why. */
export async function orUnfinished<T>(
  step: Promise<T>,
  saying: (why: string) => string,
): Promise<T> {
  try {
    return await step;
  } catch (cause) {
    throw new LetterUnfinishedError(saying(reasonOf(cause)), { cause });
  }
}
