import type { Clock } from "../clock.ts";
import { reasonOf } from "../dead-letter.ts";
import { type Handler, PoisonRecordError } from "../handler.ts";
import { EFFECTS_PER_RECORD } from "../limits.ts";
import type { BacklogRecord } from "../record.ts";

/** What one call of the handler came to. */
export type Verdict<Effect> =
  | { readonly kind: "done"; readonly effects: readonly Effect[] }
  | {
      readonly kind: "failed";
      readonly reason: string;
      /** No further attempt can help. */
      readonly poison: boolean;
      /** The handler timed out and is still running: its group must not go on beside it. */
      readonly abandoned: boolean;
    };

export type AttemptLimits = {
  readonly timeoutMs: number;
  /** No call may last beyond this time: the rest of the invocation is kept for the answer. */
  readonly lastMs: number;
};

/** A timer this late says that the event loop was blocked, so the handler had no chance to run. */
const LATE_TIMER_MS = 1000;

/** A handler that obeys its signal settles within this time; one that does not is abandoned. */
const GRACE_MS = 100;

/**
 * Calls the handler once. Never throws: a throw of anything, a time-out, and a result that is
 * neither undefined nor effects are all failures, for an unknown outcome is a failure.
 */
export function attemptRecord<Effect>(
  handle: Handler<Effect>,
  record: BacklogRecord,
  attempt: number,
  limits: AttemptLimits,
  clock: Clock,
): Promise<Verdict<Effect>> {
  const controller = new AbortController();
  const call = callHandler(handle, record, attempt, controller.signal);
  // One promise and no race: this runs for each record.
  return new Promise((resolve) => {
    const cancelTimer = startTimer(limits, clock, () =>
      resolve(endAfterTime(call, controller, limits, clock)),
    );
    void call.then((verdict) => {
      cancelTimer();
      resolve(verdict);
    });
  });
}

/** Fires the signal, and tells a handler that heeds it from one that goes on. */
async function endAfterTime<Effect>(
  call: Promise<Verdict<Effect>>,
  controller: AbortController,
  { timeoutMs }: AttemptLimits,
  clock: Clock,
): Promise<Verdict<Effect>> {
  const reason = `the handler timed out after ${timeoutMs / 1000} s`;
  controller.abort(new Error(reason));
  const grace = pause(GRACE_MS, clock);
  const settled = await Promise.race([call, grace.over]);
  grace.cancel();
  return { kind: "failed", reason, poison: false, abandoned: settled === "over" };
}

async function callHandler<Effect>(
  handle: Handler<Effect>,
  record: BacklogRecord,
  attempt: number,
  signal: AbortSignal,
): Promise<Verdict<Effect>> {
  try {
    return verdictOn<Effect>(await handle(record, { attempt, signal }));
  } catch (thrown) {
    return failure(reasonOf(thrown), thrown instanceof PoisonRecordError || isNamedPoison(thrown));
  }
}

/** The handler's bundle may hold a second copy of the class; its name is the contract then. */
function isNamedPoison(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === "PoisonRecordError";
}

function verdictOn<Effect>(result: unknown): Verdict<Effect> {
  if (result === undefined) return { kind: "done", effects: [] };
  if (!isEffects<Effect>(result)) {
    return failure(
      "the handler returned neither undefined nor {effects: [...]}; return one of the two",
      false,
    );
  }
  const odd = result.effects.findIndex((effect) => typeof effect !== "object" || effect === null);
  if (odd >= 0) {
    return failure(`the handler returned no write as effect ${odd + 1}; return objects`, false);
  }
  if (result.effects.length > EFFECTS_PER_RECORD) {
    return failure(
      `the handler returned ${result.effects.length} effects; one transaction takes ${EFFECTS_PER_RECORD}`,
      true,
    );
  }
  return { kind: "done", effects: result.effects };
}

function isEffects<Effect>(result: unknown): result is { readonly effects: readonly Effect[] } {
  return (
    typeof result === "object" &&
    result !== null &&
    Object.keys(result).length === 1 &&
    "effects" in result &&
    Array.isArray(result.effects)
  );
}

function failure(reason: string, poison: boolean): Verdict<never> {
  return { kind: "failed", reason, poison, abandoned: false };
}

/** Calls `timeOut` when the handler's time is over; the answer cancels. */
function startTimer(
  { timeoutMs, lastMs }: AttemptLimits,
  clock: Clock,
  timeOut: () => void,
): () => void {
  const dueMs = clock.nowMs() + timeoutMs;
  const rearmOnce = (): void => {
    const lateMs = clock.nowMs() - dueMs;
    const againMs = Math.min(lateMs, lastMs - clock.nowMs());
    if (lateMs <= LATE_TIMER_MS || againMs <= 0) timeOut();
    else cancel = clock.after(againMs, timeOut);
  };
  let cancel = clock.after(timeoutMs, rearmOnce);
  return () => cancel();
}

function pause(
  delayMs: number,
  clock: Clock,
): { readonly over: Promise<"over">; readonly cancel: () => void } {
  let cancel = (): void => {};
  const over = new Promise<"over">((resolve) => {
    cancel = clock.after(delayMs, () => resolve("over"));
  });
  return { over, cancel: () => cancel() };
}
