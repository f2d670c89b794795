import { fingerprintOf } from "../../lambdas/core/fingerprint.ts";
import type { Stopped } from "../../lambdas/core/replay/replay-result.ts";
import { failedIn, type RunResult, takenIn } from "./run-result.ts";

/** One call of the function, by its answer; the first call's request differs from the others'. */
export type Call = (request: {
  readonly first: boolean;
  /** Letters that may still be taken; undefined = no limit. */
  readonly limit: number | undefined;
}) => Promise<RunResult>;

export type Calls = {
  readonly results: readonly RunResult[];
  /** Failures of one reason over all calls reached the limit between two of them. */
  readonly stopped: Stopped | undefined;
  /** What a call after the first was answered with instead of a result. */
  readonly error: unknown;
};

/**
 * Calls the function until nothing is left, for one call takes as many letters as the backlog's replay
 * limit says, and 15 minutes, at most. Ends early where a call stopped, was cancelled, or took nothing:
 * then another would not either.
 * @throws what the first call throws: nothing is known then.
 */
export async function callUntilDone(
  call: Call,
  {
    limit,
    stopAfterFailures,
    onResult,
    isInterrupted,
  }: {
    readonly limit: number | undefined;
    readonly stopAfterFailures: number;
    readonly onResult: (taken: number) => void;
    readonly isInterrupted: () => boolean;
  },
): Promise<Calls> {
  const results: RunResult[] = [];
  let taken = 0;
  for (;;) {
    const rest = limit === undefined ? undefined : limit - taken;
    try {
      results.push(await call({ first: results.length === 0, limit: rest }));
    } catch (error) {
      if (results.length === 0) throw error;
      return { results, stopped: undefined, error };
    }
    const before = taken;
    taken = results.reduce((sum, result) => sum + takenIn(result), 0);
    onResult(taken);
    const stopped = stoppedBy(results, stopAfterFailures);
    const over = limit !== undefined && taken >= limit;
    if (stopped !== undefined || over || taken === before || isInterrupted() || isEnd(results)) {
      return { results, stopped, error: undefined };
    }
  }
}

function isEnd(results: readonly RunResult[]): boolean {
  const last = results.at(-1);
  return last === undefined || !last.truncated || last.cancelled === true;
}

/** Each call counts for itself only; the limit is meant for the whole run. */
function stoppedBy(results: readonly RunResult[], limit: number): Stopped | undefined {
  const last = results.at(-1);
  if (last?.stopped !== undefined) return last.stopped;
  if (last === undefined || !last.truncated || failedIn(last) === 0) return undefined;
  const failures = Map.groupBy(
    results.flatMap(({ failed }) => failed),
    ({ reason }) => fingerprintOf(reason),
  );
  const worst = [...failures].toSorted(([, a], [, b]) => b.length - a.length)[0];
  if (worst === undefined || worst[1].length < limit) return undefined;
  return { fingerprint: worst[0], failures: worst[1].length };
}
