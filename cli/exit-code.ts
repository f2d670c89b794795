import type { AlertLevel } from "../lambdas/core/alert-policy.ts";

/** How the command ends: as bad as the policy finds it, or as far as an act came. The verbs that
 *  only list end with `ok` whatever they list. */
export const EXIT_CODES: Readonly<
  Record<AlertLevel | "unfinished" | "refused" | "cannotTell", number>
> = {
  ok: 0,
  warn: 1,
  page: 2,
  /** Something failed, is left, or is still under way. */
  unfinished: 1,
  /** Not done, or stopped before its end. */
  refused: 2,
  cannotTell: 3,
};
