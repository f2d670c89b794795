import type { AlertLevel } from "../lambdas/core/alert-policy.ts";

/** How the command ends. The verbs below `letters` end with `ok` whatever they list. */
export const EXIT_CODES: Readonly<Record<AlertLevel | "cannotTell", number>> = {
  ok: 0,
  warn: 1,
  page: 2,
  cannotTell: 3,
};
