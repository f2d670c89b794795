import type { ReplayResult } from "../../lambdas/core/replay/replay-result.ts";

/** What the function answers to `replay`, dry runs aside. */
export type RunResult = Omit<ReplayResult, "dryRun" | "examined" | "selected"> &
  Required<Pick<ReplayResult, "letters" | "left">>;

/** Letters that failed again in a run. */
export function failedIn({ failed, omitted }: RunResult): number {
  return failed.length + (omitted?.failed ?? 0);
}

/** Letters that a run took out of the dead-letter queue, those that came back included. */
export function takenIn(result: RunResult): number {
  return result.replayed + result.skipped + failedIn(result) + result.pending;
}
