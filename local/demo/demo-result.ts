import type { AlertLevel } from "../../lambdas/core/alert-policy.ts";
import type { Broken } from "./promises.ts";

/** What a run came to; the keys are the ones that `--json` prints. */
export type DemoResult = Broken & {
  readonly published: number;
  readonly applied: number;
  /** Records that were dead letters before the causes were mended. */
  readonly deadLetters: number;
  readonly replayed: number;
  readonly skipped: number;
  /** Letters that the replay tried and that are letters still. */
  readonly failed: number;
  /** Worst level while partitions were blocked. */
  readonly levelBefore: AlertLevel;
  readonly levelAfter: AlertLevel;
};

const ZERO = ["lost", "doubled", "disorder", "innocents", "failed"] as const;

/**
 * What a run should have shown and did not, in words; nothing where all is well.
 * @param mustAlert the events block partitions long enough to alert, as the demo's own do.
 */
export function shortcomings(result: DemoResult, mustAlert: boolean): readonly string[] {
  const { published, applied, levelBefore, levelAfter } = result;
  const found = ZERO.filter((name) => (result[name] ?? 0) !== 0).map(
    (name) => `${name} is ${result[name]}, expected 0`,
  );
  if (applied !== published) found.push(`applied is ${applied}, expected ${published}`);
  if (mustAlert && levelBefore === "ok") found.push("levelBefore is ok, expected warn or page");
  if (levelAfter !== "ok") found.push(`levelAfter is ${levelAfter}, expected ok`);
  return found;
}

/** The last line for people. What was not measured is not called kept. */
export function verdictOf({ doubled }: DemoResult, short: readonly string[]): string {
  if (short.length > 0) return `not as it should be: ${short.join("; ")}`;
  return doubled === null
    ? "every promise that is measured was kept; whether a record was applied twice is not measured, as only your handler's own data could tell"
    : "every promise was kept";
}
