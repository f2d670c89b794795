import type { LetterFacts } from "./dead-letter.ts";
import type { Delivery } from "./record.ts";

/** The dead-letter queue as the consumer needs it. */
export interface DeadLetters {
  /**
   * Sends the message as it is plus the facts of its death; resolves once SQS accepted it.
   * A letter that does not fit is sent unchanged, its facts are then in the ledger alone.
   * @throws where SQS refused it or the outcome is unknown: the record then stays at the head.
   */
  send(delivery: Delivery, facts: LetterFacts): Promise<void>;
}
