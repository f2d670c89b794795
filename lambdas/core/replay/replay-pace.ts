import type { Clock } from "../clock.ts";

/** Resolves after `delayMs`, at once where it is not above 0. */
export function waitMs(clock: Clock, delayMs: number): Promise<void> {
  if (delayMs <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}

/** Waits for so many turns, and gives them together; false, at once, where their time would not come
 *  before `untilMs`. */
export type Pace = (untilMs: number, turns: number) => Promise<boolean>;

/** Turns evenly spaced over all callers, without bursts after a pause but for turns asked together. */
export function paceOf(ratePerSecond: number, clock: Clock): Pace {
  const intervalMs = 1000 / ratePerSecond;
  let nextMs = Number.NEGATIVE_INFINITY;
  return async (untilMs, turns) => {
    const turnMs = Math.max(nextMs, clock.nowMs());
    if (turnMs >= untilMs) return false;
    nextMs = turnMs + turns * intervalMs;
    await waitMs(clock, turnMs - clock.nowMs());
    return true;
  };
}
