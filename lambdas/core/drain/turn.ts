import type { EntryRecord, Standing } from "../ledger.ts";
import type { Arrival } from "../wire/arrival.ts";
import type { DrainPorts, Invocation } from "./drain-ports.ts";
import type { Subject } from "./drain-report.ts";

/** An arrival with what the ledger knew of it when the batch began; undefined where the batch was
 *  received for the first time and nothing was asked. */
export type Candidate = { readonly arrival: Arrival; readonly standing: Standing | undefined };

/** One record in the middle of its drain. */
export type Turn<Effect> = Candidate & {
  readonly careful: boolean;
  readonly attemptId: string;
  readonly attemptsMax: number;
  readonly invocation: Invocation;
  readonly ports: DrainPorts<Effect>;
};

/** What became of one record in a drain. */
export type Outcome =
  /** Done for good: applied, or known to the ledger. Acknowledge it. */
  | { readonly kind: "settled" }
  /** Isolated as a dead letter. Acknowledge it; another message of the same id is another matter,
   *  for the letter holds this one's body only. */
  | { readonly kind: "dead" }
  /** A plain first success: done once the group's batch entry is written. */
  | { readonly kind: "remembered"; readonly record: EntryRecord }
  /** Dead, and its handler still runs. */
  | { readonly kind: "deadButAbandoned" }
  /** A failed attempt with more to come. */
  | { readonly kind: "retry"; readonly retryInSeconds: number }
  | { readonly kind: "outOfTime" }
  /** Not the record's failure. Nothing is charged. */
  | { readonly kind: "interrupted" };

export const SETTLED: Outcome = { kind: "settled" };

export function subjectOf({ identity }: Arrival): Subject {
  const { id, key, partition } = identity;
  return { id, key, partition };
}

/** The ledger has an answer for this message already: acknowledge it. `dead` where it died before as
 *  this very message, so that it does not speak for another one of its id. */
export function settledElsewhere<Effect>(
  { arrival, ports }: Turn<Effect>,
  kind: "settled" | "dead" = "settled",
): Outcome {
  ports.report({ kind: "settledBefore", ...subjectOf(arrival) });
  return { kind };
}
