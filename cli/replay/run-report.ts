import { fingerprintOf } from "../../lambdas/core/fingerprint.ts";
import type {
  Left,
  LetterOutcome,
  ReplayError,
  Stopped,
} from "../../lambdas/core/replay/replay-result.ts";
import type { Explanation } from "../command-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { explainError } from "../explain-error.ts";
import type { Calls } from "./run-calls.ts";
import { failedIn } from "./run-result.ts";

/** What a run came to, over all calls of the function. */
export type RunReport = {
  readonly outcome: "done" | "unfinished" | "stopped" | "cancelled" | "unknown";
  readonly runIds: readonly string[];
  /** Letters that the plan would take. */
  readonly planned: number;
  readonly replayed: number;
  readonly skipped: number;
  readonly failed: number;
  readonly pending: number;
  readonly left: Left;
  /** Letters that failed again, by old and new reason, the most first. */
  readonly failures: readonly Failure[];
  readonly errors: readonly ReplayError[];
  readonly letters: readonly LetterOutcome[];
  /** Entries of `letters` and `errors` that the function's answers left out. */
  readonly omitted: number;
  readonly stopped: Stopped | undefined;
  readonly truncated: boolean;
  /** Why the last call has no answer. */
  readonly error: Explanation | undefined;
};

/** Fingerprints: what differs from letter to letter is taken out. */
export type Failure = {
  readonly oldReason: string;
  readonly newReason: string;
  readonly count: number;
  readonly example: string;
};

/** Adds the answers up; `leftBefore` is what stays where there is none. Pure, but that an error which
 *  is a defect is thrown again. */
export function reportOf(
  { results, stopped, error }: Calls,
  planned: number,
  leftBefore: Left = { overtaken: 0, held: 0, cannotRun: 0, expired: 0 },
): RunReport {
  const sum = (count: (result: (typeof results)[number]) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  const last = results.at(-1);
  const letters = results.flatMap((result) => result.letters);
  const counts = {
    replayed: sum(({ replayed }) => replayed),
    skipped: sum(({ skipped }) => skipped),
    failed: sum(failedIn),
    pending: sum(({ pending }) => pending),
    // What stays is met again by each call.
    left: last?.left ?? leftBefore,
    errors: distinct(results.flatMap(({ errors }) => errors)),
    truncated: last?.truncated ?? false,
  };
  const explained = error === undefined ? undefined : explanationOf(error);
  const cancelled = last?.cancelled ?? false;
  return {
    ...counts,
    outcome: outcomeOf({ ...counts, stopped, cancelled, error: explained }),
    runIds: results.map(({ runId }) => runId),
    planned,
    failures: failuresIn(
      results.flatMap(({ failed }) => failed),
      letters,
    ),
    letters,
    omitted: sum(({ omitted }) => (omitted?.letters ?? 0) + (omitted?.errors ?? 0)),
    stopped,
    error: explained,
  };
}

/** 0 all done; 1 something failed, is left or pending; 2 stopped; 3 the last answer is missing. */
export function exitCodeOf({ outcome }: RunReport): number {
  return {
    done: EXIT_CODES.ok,
    unfinished: EXIT_CODES.unfinished,
    stopped: EXIT_CODES.refused,
    cancelled: EXIT_CODES.refused,
    unknown: EXIT_CODES.cannotTell,
  }[outcome];
}

function outcomeOf({
  stopped,
  cancelled,
  error,
  failed,
  pending,
  left,
  errors,
  truncated,
}: Pick<RunReport, "stopped" | "error" | "failed" | "pending" | "left" | "errors" | "truncated"> & {
  readonly cancelled: boolean;
}): RunReport["outcome"] {
  if (error !== undefined) return "unknown";
  if (stopped !== undefined) return "stopped";
  if (cancelled) return "cancelled";
  const staying = Object.values(left).reduce((sum, count) => sum + count, 0);
  const rest = failed + pending + staying + errors.length;
  return rest > 0 || truncated ? "unfinished" : "done";
}

function explanationOf(error: unknown): Explanation {
  const explanation = explainError(error);
  if (explanation === undefined) throw error;
  return explanation;
}

function failuresIn(
  failed: readonly { readonly id: string; readonly reason: string }[],
  letters: readonly LetterOutcome[],
): readonly Failure[] {
  const oldReasons = new Map(letters.map(({ id, oldReason }) => [id, oldReason]));
  const pairs = failed.map(({ id, reason }) => ({
    id,
    oldReason: fingerprintOf(oldReasons.get(id) ?? ""),
    newReason: fingerprintOf(reason),
  }));
  const groups = Map.groupBy(pairs, ({ oldReason, newReason }) => `${oldReason}\n${newReason}`);
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { id, oldReason, newReason } = first;
      return [{ oldReason, newReason, count: group.length, example: id }];
    })
    .toSorted((left, right) => right.count - left.count);
}

function distinct(errors: readonly ReplayError[]): readonly ReplayError[] {
  return [...new Map(errors.map((each) => [`${each.id}\n${each.error}`, each])).values()];
}
