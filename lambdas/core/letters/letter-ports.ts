import type { ReplayPorts } from "../replay/replay-ports.ts";
import type { LetterMarks } from "./withheld.ts";

/** Everything that acts on letters need from outside. */
export type LetterPorts = Pick<
  ReplayPorts,
  "letters" | "records" | "ledger" | "clock" | "settings"
> & { readonly marks: LetterMarks };

/** What a renewal needs: it moves letters that SQS put into their partition's group, as a replay does. */
export type RenewalPorts = LetterPorts & Pick<ReplayPorts, "source">;

/** What became of a letter that could not be acted on. */
export type LetterError = { readonly id: string; readonly error: string };

/** An act on one letter that was refused; nothing was changed. The message says what to do. */
export class LetterRefusedError extends Error {
  override readonly name = "LetterRefusedError";
}

/** An act on one letter was begun and did not come to its end. The message says what state the letter
 *  is in, and what completes the act. */
export class LetterUnfinishedError extends Error {
  override readonly name = "LetterUnfinishedError";
}
