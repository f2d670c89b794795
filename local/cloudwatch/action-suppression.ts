/** When a composite alarm changed, and how its suppressor stands; times in epoch milliseconds. */
export type Suppression = {
  readonly changedAtMs: number;
  readonly suppressorInAlarm: boolean;
  /** When the suppressor last left ALARM; undefined if it never did. */
  readonly suppressorLeftAtMs: number | undefined;
  /** ActionsSuppressorWaitPeriod: how long the suppressor gets to go into ALARM first. */
  readonly waitMs: number;
  /** ActionsSuppressorExtensionPeriod: how long actions stay suppressed after it left. */
  readonly extensionMs: number;
};

/**
 * Why the actions of a composite alarm with an ActionsSuppressor are held back at `nowMs`, in
 * CloudWatch's words (ActionsSuppressedBy); undefined once they may go out.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-suppression.html
 */
export function suppressedBy(
  suppression: Suppression,
  nowMs: number,
): "Alarm" | "ExtensionPeriod" | "WaitPeriod" | undefined {
  const { changedAtMs, suppressorInAlarm, suppressorLeftAtMs, waitMs, extensionMs } = suppression;
  if (suppressorInAlarm) return "Alarm";
  if (suppressorLeftAtMs !== undefined && nowMs < suppressorLeftAtMs + extensionMs) {
    return "ExtensionPeriod";
  }
  // A suppressor that went into ALARM after the change was waited for already.
  const waitedFor = suppressorLeftAtMs !== undefined && suppressorLeftAtMs >= changedAtMs;
  return !waitedFor && nowMs < changedAtMs + waitMs ? "WaitPeriod" : undefined;
}
