import type { Clock } from "../clock.ts";

/** Resolves after `delayMs`, at once where it is not above 0. */
export function waitMs(clock: Clock, delayMs: number): Promise<void> {
  if (delayMs <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}

/** Waits for this caller's turn; false, at once, where the turn would not come before `untilMs`. */
export type Pace = (untilMs: number) => Promise<boolean>;

/** Turns evenly spaced over all callers, without bursts after a pause. */
export function paceOf(ratePerSecond: number, clock: Clock): Pace {
  const intervalMs = 1000 / ratePerSecond;
  let nextMs = Number.NEGATIVE_INFINITY;
  return async (untilMs) => {
    const turnMs = Math.max(nextMs, clock.nowMs());
    if (turnMs >= untilMs) return false;
    nextMs = turnMs + intervalMs;
    await waitMs(clock, turnMs - clock.nowMs());
    return true;
  };
}
