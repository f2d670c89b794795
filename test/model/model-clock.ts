import { Heap } from "heap-js";
import type { Clock } from "../../lambdas/core/clock.ts";

type Timer = { readonly atMs: number; readonly turn: number; call: (() => void) | undefined };

const BORN_MS = 1_700_000_000_000;

/** Timers that one run may fire: a run of the model takes some hundreds. */
const TIMERS_MAX = 20_000;

/** Time that one run may take: it has some 16 replays, minutes apart. */
const DAY_MS = 86_400_000;

/** Time for very many short runs: it moves as soon as nothing else can happen, timers of the same
 *  moment in the order in which they were set, so that a run is the same each time. */
export class ModelClock implements Clock {
  #nowMs = BORN_MS;
  #turns = 0;
  #fired = 0;
  readonly #timers = new Heap<Timer>(
    (left, right) => left.atMs - right.atMs || left.turn - right.turn,
  );

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, call: () => void): () => void {
    this.#turns += 1;
    // Whole milliseconds, as on any clock.
    const timer: Timer = { atMs: this.#nowMs + Math.ceil(delayMs), turn: this.#turns, call };
    this.#timers.push(timer);
    return () => {
      timer.call = undefined;
    };
  }

  /** Resolves after `delayMs` of virtual time. */
  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(delayMs, resolve);
    });
  }

  /** Lets time pass until `over` says so. @throws where nothing is left to wait for, or no end comes. */
  async runUntil(over: () => boolean): Promise<void> {
    await settled();
    while (!over()) {
      const next = this.#timers.pop();
      if (next === undefined) throw new Error("nothing is left to wait for, yet no end came");
      if (next.call === undefined) continue;
      this.#fired += 1;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      if (this.#fired > TIMERS_MAX || this.#nowMs > BORN_MS + DAY_MS) {
        throw new Error("P4: no end comes, a partition waits or goes in circles");
      }
      next.call();
      await settled();
    }
  }
}

/** Resolves once no promise can go on by itself: Node empties the queue of promises before the next
 *  tick, which costs far less than a turn of the event loop. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}
