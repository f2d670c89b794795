/** What a drain tells the world besides its answer: the consumer turns it into logs and metrics.
 *  Holds ids and keys, never a payload. */
export type DrainEvent =
  | (Subject & { readonly kind: "delivered"; readonly ageMs: number })
  /** Acknowledged without a call: the ledger knew it, or it was settled earlier in this drain. */
  | (Subject & { readonly kind: "settledBefore" })
  /** A failed attempt; the record stays at the head of its partition for `retryInSeconds`. */
  | (Subject & {
      readonly kind: "retried";
      readonly attempt: number;
      readonly attemptsMax: number;
      readonly reason: string;
      readonly retryInSeconds: number;
    })
  | (Subject & {
      readonly kind: "deadLettered";
      readonly attempts: number;
      readonly generation: number;
      readonly reason: string;
    })
  /** The handler did not stop at its signal: without effects it may still be writing. */
  | (Subject & { readonly kind: "abandoned" })
  /** No time was left for another attempt; nothing was charged. */
  | (Subject & { readonly kind: "outOfTime" })
  /** A failure that is not the record's: nothing was charged, its group stopped here. */
  | (Subject & { readonly kind: "interrupted"; readonly error: unknown });

export type Subject = { readonly id: string; readonly key: string; readonly partition: number };

export type Report = (event: DrainEvent) => void;
