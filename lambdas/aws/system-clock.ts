import type { Clock } from "../core/clock.ts";

/** The real clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs: number, call: () => void): () => void {
    const timer = setTimeout(call, delayMs);
    return () => clearTimeout(timer);
  },
};
