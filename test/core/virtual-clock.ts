import type { Clock } from "../../lambdas/core/clock.ts";

type Timer = { readonly atMs: number; readonly call: () => void };

/** Time that moves only when nothing else can: runs a promise to its end, timer by timer. */
export class VirtualClock implements Clock {
  #nowMs: number;
  readonly #timers = new Set<Timer>();

  constructor(nowMs = 1_700_000_000_000) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, call: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, call };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Resolves after `delayMs` of virtual time. */
  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(delayMs, resolve);
    });
  }

  /** Moves time without firing timers, as a blocked event loop does. */
  block(byMs: number): void {
    this.#nowMs += byMs;
  }

  async run<T>(promise: Promise<T>): Promise<T> {
    let over = false;
    const watched = promise.finally(() => {
      over = true;
    });
    watched.catch(() => {});
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (over) return watched;
      const next = this.#next();
      if (next === undefined) throw new Error("nothing is left to wait for, yet no end came");
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.call();
    }
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (first === undefined || timer.atMs < first.atMs) first = timer;
    }
    return first;
  }
}
