import type { Blocked } from "../../lambdas/core/backlog.ts";
import { backoffSeconds } from "../../lambdas/core/drain/backoff.ts";
import { formatDuration } from "../terminal/duration.ts";

/** When a blocked head is tried again. */
export type NextTry =
  /** Its back-off ends between the two: how much of it is taken off is drawn by the consumer, and
   *  recorded nowhere. */
  | { readonly kind: "waits"; readonly earliestMs: number; readonly latestMs: number }
  /** Its back-off is over: it is being handled, or waits for the consumer to take it. */
  | { readonly kind: "due" }
  /** No failure is recorded, or the backlog's back-off is not known here. */
  | { readonly kind: "unknown" };

/** What is known of a backlog's back-off; a parameter of an older stack says nothing of it. */
export type TryLocation = {
  readonly name: string;
  readonly backoff?: { readonly baseSeconds: number; readonly capSeconds: number } | undefined;
};

/** From the time of the last failure and the count of attempts: SQS tells nobody when a message
 *  comes back. Pure. */
export function nextTryOf(
  { attempts, failedAtMs }: Pick<Blocked, "attempts" | "failedAtMs">,
  { backoff }: TryLocation,
  nowMs: number,
): NextTry {
  if (failedAtMs === undefined || backoff === undefined || attempts < 1) return { kind: "unknown" };
  const settings = {
    backoffBaseSeconds: backoff.baseSeconds,
    backoffCapSeconds: backoff.capSeconds,
  };
  const momentOf = (random: number): number =>
    failedAtMs + backoffSeconds(attempts, settings, () => random) * 1000;
  const [earliestMs, latestMs] = [momentOf(1), momentOf(0)];
  return latestMs <= nowMs ? { kind: "due" } : { kind: "waits", earliestMs, latestMs };
}

/** `in 2s to 4s`, `within 4s`, `due`, or `unknown`. */
export function nextTryText(nextTry: NextTry, nowMs: number): string {
  if (nextTry.kind !== "waits") return nextTry.kind;
  const latest = formatDuration(nextTry.latestMs - nowMs);
  return nextTry.earliestMs <= nowMs
    ? `within ${latest}`
    : `in ${formatDuration(nextTry.earliestMs - nowMs)} to ${latest}`;
}
