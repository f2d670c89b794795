import type { Settings } from "./settings.ts";

/** When a backlog warns and pages. The age of the oldest record is the main criterion; the count
 *  only ever warns. Each threshold includes equality; 0 or less switches it off. */
export type AlertPolicy = {
  readonly warnAgeMs: number;
  readonly pageAgeMs: number;
  readonly maxCount: number;
};

export type AlertLevel = "ok" | "warn" | "page";

/** The part of a backlog that the policy looks at. */
export type BacklogSize = {
  readonly count: number;
  readonly oldestAgeMs: number;
};

/**
 * The one place that decides how bad a backlog is: the command calls it, and the stack's alarms are
 * generated from the same policy. Pure and without memory; the first match wins, so a page age
 * below the warn age makes the warning unreachable by age.
 */
export function evaluate(policy: AlertPolicy, backlog: BacklogSize): AlertLevel {
  if (reached(policy.pageAgeMs, backlog.oldestAgeMs)) return "page";
  if (reached(policy.warnAgeMs, backlog.oldestAgeMs)) return "warn";
  if (reached(policy.maxCount, backlog.count)) return "warn";
  return "ok";
}

/** The policy that a deployed backlog's settings describe. */
export function alertPolicyOf(
  settings: Pick<Settings, "warnAgeSeconds" | "pageAgeSeconds" | "maxCount">,
): AlertPolicy {
  return {
    warnAgeMs: settings.warnAgeSeconds * 1000,
    pageAgeMs: settings.pageAgeSeconds * 1000,
    maxCount: settings.maxCount,
  };
}

function reached(threshold: number, value: number): boolean {
  return threshold > 0 && value >= threshold;
}
