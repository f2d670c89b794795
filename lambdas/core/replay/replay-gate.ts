import { fingerprintOf } from "../fingerprint.ts";
import type { Watch } from "./replay-follow.ts";
import type { ReplayPorts } from "./replay-ports.ts";
import type { ReplayRequest } from "./replay-request.ts";
import type { FailedReplay, Stopped } from "./replay-result.ts";
import type { Sent } from "./sent-letter.ts";

/** Lets letters out as carefully as the request says. */
export type Gate = {
  /** Waits until more may go out. @returns how many; 0 = no more in this run. Never throws. */
  readonly next: (sent: readonly Sent[]) => Promise<number>;
  readonly isCancelled: () => boolean;
};

/** Between two looks at the lease, and at outcomes while letters go on. */
const LOOK_EVERY_MS = 1000;

/** Letters without an outcome at most, where failures are to stop the run. */
const OPEN_MAX = 100;

/** @param untilMs no outcome is waited for beyond it. */
export function gateOf(
  request: Pick<ReplayRequest, "dryRun" | "ramp" | "stopAfterFailures">,
  { runId, untilMs }: { readonly runId: string; readonly untilMs: number },
  watch: Watch,
  { ledger, clock }: Pick<ReplayPorts, "ledger" | "clock">,
): Gate {
  const { dryRun, stopAfterFailures } = request;
  const marks = rampMarks(request.ramp ?? []);
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let cancelled = false;

  const look = async (sent: readonly Sent[]): Promise<void> => {
    if (clock.nowMs() - lookedAtMs < LOOK_EVERY_MS) return;
    lookedAtMs = clock.nowMs();
    // An answer that does not come must not end a run: the next look asks again.
    const lease = await ledger.currentLease().catch(() => undefined);
    cancelled ||= lease?.runId === runId && lease.cancelled;
    if (stopAfterFailures !== undefined) await watch.look(sent);
  };

  /** Waits for the outcomes that must be known first. @returns whether they are. */
  const settle = async (sent: readonly Sent[]): Promise<boolean> => {
    const isStep = marks.includes(sent.length);
    if (isStep) await watch.follow(sent, untilMs);
    await look(sent);
    if (stopAfterFailures !== undefined) await watch.follow(sent, untilMs, OPEN_MAX);
    return !isStep || watch.outcomes().pending.length === 0;
  };

  return {
    isCancelled: () => cancelled,
    async next(sent): Promise<number> {
      if (dryRun) return Number.POSITIVE_INFINITY;
      if (!(await settle(sent)) || cancelled) return 0;
      if (stoppedBy(watch.outcomes().failed, stopAfterFailures) !== undefined) return 0;
      return (marks.find((mark) => mark > sent.length) ?? Number.POSITIVE_INFINITY) - sent.length;
    },
  };
}

/** The fingerprint with which most letters failed again, where those are as many as the limit. */
export function stoppedBy(
  failed: readonly FailedReplay[],
  limit: number | undefined,
): Stopped | undefined {
  if (limit === undefined) return undefined;
  const groups = Map.groupBy(failed, ({ reason }) => fingerprintOf(reason));
  let worst: Stopped | undefined;
  for (const [fingerprint, { length }] of groups) {
    if (length >= limit && length > (worst?.failures ?? 0)) {
      worst = { fingerprint, failures: length };
    }
  }
  return worst;
}

/** Counts of sent letters at which a step of the ramp ends. */
function rampMarks(ramp: readonly number[]): readonly number[] {
  let sum = 0;
  return ramp.map((step) => {
    sum += step;
    return sum;
  });
}
