import { reasonOf } from "../dead-letter.ts";

/** A queue or the ledger did not answer before anything was sent; nothing was replayed. */
export class ReplayUnavailableError extends Error {
  override readonly name = "ReplayUnavailableError";
}

/**
 * For everything before the first send, where a failure means that nothing was replayed.
 * @throws ReplayUnavailableError with the failure as its cause.
 */
export async function answerOf<T>(whose: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new ReplayUnavailableError(
      `Expected an answer of ${whose}, got: ${reasonOf(cause)}. Nothing was replayed and no letter is lost; run again once it answers`,
      { cause },
    );
  }
}
