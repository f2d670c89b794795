import type { ReplayError } from "../../lambdas/core/replay/replay-result.ts";

/** What the function answers to `replay`. */
export type RunResult = {
  readonly runId: string;
  readonly replayed: number;
  readonly skipped: number;
  readonly failed: readonly {
    readonly id: string;
    readonly key: string;
    readonly reason: string;
  }[];
  readonly pending: number;
  readonly errors: readonly ReplayError[];
  /** Letters may be left that match: another call goes on with them. */
  readonly truncated: boolean;
  /** The first of them. */
  readonly letters: readonly LetterOutcome[];
  /** Letters that match and stay, by why. */
  readonly left: Left;
  /** The fix is not live: so many letters failed again with this fingerprint. */
  readonly stopped?: Stopped;
  readonly cancelled?: boolean;
  readonly omitted?: {
    readonly failed?: number;
    readonly errors?: number;
    readonly letters?: number;
  };
};

export type LetterOutcome = {
  readonly id: string;
  readonly outcome: "replayed" | "skipped" | "failed" | "pending" | "kept";
  readonly oldReason: string | null;
  readonly newReason?: string;
};

export type Left = Readonly<Record<"overtaken" | "held" | "cannotRun", number>>;

export type Stopped = { readonly fingerprint: string; readonly failures: number };

/** Letters that failed again in a run. */
export function failedIn({ failed, omitted }: RunResult): number {
  return failed.length + (omitted?.failed ?? 0);
}

/** Letters that a run took out of the dead-letter queue, those that came back included. */
export function takenIn(result: RunResult): number {
  return result.replayed + result.skipped + failedIn(result) + result.pending;
}
