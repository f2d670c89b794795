import { letterReason } from "../dead-letter.ts";
import type { Verdict } from "./attempt.ts";
import { backoffSeconds } from "./backoff.ts";
import { countAttempt } from "./count-attempt.ts";
import { type Outcome, settledElsewhere, subjectOf, type Turn } from "./turn.ts";

/** A verdict against the record. */
export type Failed = Extract<Verdict<never>, { readonly kind: "failed" }>;

/** Counts a failure that no count stands for yet: that of a first receive. */
export async function countAndFail<Effect>(turn: Turn<Effect>, failed: Failed): Promise<Outcome> {
  const { arrival, attemptId, ports } = turn;
  const failure = { reason: letterReason(failed.reason), failedAtMs: ports.clock.nowMs() };
  const attempt = await countAttempt(
    arrival,
    turn.standing?.item,
    attemptId,
    ports.ledger,
    failure,
  );
  return typeof attempt === "number"
    ? fail(turn, attempt, failed, { noted: true })
    : settledElsewhere(turn, attempt);
}

/** A failed and counted attempt: the record dies, or stays at the head of its group. */
export async function fail<Effect>(
  turn: Turn<Effect>,
  attempt: number,
  failed: Failed,
  { noted } = { noted: false },
): Promise<Outcome> {
  const { arrival, attemptId, attemptsMax, ports } = turn;
  const reason = letterReason(failed.reason);
  const note = async (): Promise<void> => {
    const failedAtMs = ports.clock.nowMs();
    if (!noted) await ports.ledger.noteFailure(arrival.identity, { reason, failedAtMs, attemptId });
  };
  if (failed.abandoned) ports.report({ kind: "abandoned", ...subjectOf(arrival) });
  // `>=`: a deploy may lower the maximum under a record already in flight.
  if (failed.poison || attempt >= attemptsMax) {
    try {
      const outcome = await die(turn, attempt, failed.reason);
      return failed.abandoned ? { kind: "deadButAbandoned" } : outcome;
    } catch (error) {
      // It dies in a later invocation, which knows of this call only what stands in the ledger.
      await note().catch(() => undefined);
      throw error;
    }
  }
  await note();
  const retryInSeconds = backoffSeconds(attempt, ports.settings, ports.random);
  ports.report({
    kind: "retried",
    ...subjectOf(arrival),
    attempt,
    attemptsMax,
    reason,
    retryInSeconds,
  });
  return { kind: "retry", retryInSeconds };
}

/** Send, mark, acknowledge: a crash between may leave two letters of one record, never none. */
export async function die<Effect>(
  turn: Turn<Effect>,
  attempts: number,
  cause: string,
): Promise<Outcome> {
  const { arrival, ports } = turn;
  const { identity, delivery } = arrival;
  const reason = letterReason(cause);
  const failedAtMs = ports.clock.nowMs();
  const { id, partition, offset, generation, enqueuedAtMs } = identity;
  await ports.deadLetters.send(delivery, {
    id,
    partition,
    offset,
    generation,
    attempts,
    reason,
    failedAtMs,
    enqueuedAtMs,
  });
  const { messageId } = delivery;
  await ports.ledger.markDead(identity, { reason, failedAtMs, attempts, messageId });
  ports.report({ kind: "deadLettered", ...subjectOf(arrival), attempts, generation, reason });
  return { kind: "dead" };
}
