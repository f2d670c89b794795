import type { Settings } from "../../lambdas/core/settings.ts";

/**
 * The defaults with their times shortened, so that a run takes seconds: what takes ten minutes in an
 * account takes six seconds here. Nothing else differs from what is deployed.
 */
export const DEMO_SETTINGS = {
  name: "demo",
  partitions: 16,
  handlerTimeoutSeconds: 1,
  deadlineMarginSeconds: 1,
  consumerTimeoutSeconds: 3,
  visibilityTimeoutSeconds: 6,
  backoffBaseSeconds: 1,
  backoffCapSeconds: 2,
  warnAgeSeconds: 3,
  pageAgeSeconds: 6,
  replayTimeoutSeconds: 60,
  replayRatePerSecond: 100,
} as const satisfies Partial<Settings>;

/** CloudWatch's minutes are divided by this: one lasts two seconds. */
export const MINUTE_DIVISOR = 30;

/** Execution environments of one function at once: each is a process of this machine. */
export const ENVIRONMENTS_MAX = 4;
