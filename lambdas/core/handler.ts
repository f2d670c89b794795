import type { BacklogRecord } from "./record.ts";

/** What the handler is told besides the record. */
export type HandlerContext = {
  /** Calls of the handler for this record in this generation, this one included: 1 on the first.
   *  A first call that took the process with it is not counted. Not SQS's receive count. */
  readonly attempt: number;
  /** Fires at the handler timeout. A handler that goes on after it is no longer listened to. */
  readonly signal: AbortSignal;
};

/** Writes that the backlog does for the handler, in one transaction with its own mark, so that they
 *  happen once. At most 99; none on the ledger's table. */
export type HandlerResult<Effect> = { readonly effects: readonly Effect[] } | undefined;

/**
 * The game's own code. Resolve to undefined when done, or to effects to be applied; throw to fail
 * the attempt; throw {@link PoisonRecordError} when no further attempt can help.
 */
export type Handler<Effect> = (
  record: BacklogRecord,
  context: HandlerContext,
) => Promise<HandlerResult<Effect>> | HandlerResult<Effect>;

/** Thrown for a record that can never work: it becomes a dead letter at once. */
export class PoisonRecordError extends Error {
  override readonly name = "PoisonRecordError";
}
