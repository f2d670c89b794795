import { Heap } from "heap-js";

/** A moment at which something is to run, once. */
export type Deadline = {
  readonly dueMs: number;
  /** Undefined once it ran or was cancelled. */
  run: (() => void) | undefined;
};

/** All deadlines of one server in one heap behind one timer. */
export type Deadlines = {
  /** `dueMs` is epoch milliseconds; what is due already runs on the next turn of the event loop. */
  schedule(dueMs: number, run: () => void): Deadline;
  cancel(deadline: Deadline | undefined): void;
  /** Runs what is due now, so that an answer never tells of a state that time has ended. */
  runDue(): void;
  /** Scheduled and not yet run or cancelled. */
  readonly pending: number;
  /** Drops everything, so that the process may end. */
  close(): void;
};

// The longest delay that setTimeout takes; a later deadline is only looked at again by then.
const LONGEST_TIMER_MS = 2_147_483_647;
const SMALL_HEAP = 1024;

export function createDeadlines(now: () => number): Deadlines {
  const heap = new Heap<Deadline>((a, b) => a.dueMs - b.dueMs);
  let cancelled = 0;
  let timer: NodeJS.Timeout | undefined;
  let timerDueMs = Number.POSITIVE_INFINITY;

  const arm = (): void => {
    const dueMs = heap.peek()?.dueMs;
    if (dueMs === undefined || dueMs >= timerDueMs) return;
    clearTimeout(timer);
    timerDueMs = dueMs;
    timer = setTimeout(fire, Math.min(LONGEST_TIMER_MS, Math.max(0, dueMs - now())));
  };
  const fire = (): void => {
    timer = undefined;
    timerDueMs = Number.POSITIVE_INFINITY;
    runDue();
    arm();
  };
  const runDue = (): void => {
    const nowMs = now();
    for (let next = heap.peek(); next !== undefined && next.dueMs <= nowMs; next = heap.peek()) {
      heap.pop();
      const { run } = next;
      if (run === undefined) cancelled -= 1;
      next.run = undefined;
      run?.();
    }
  };
  // Most visibility timeouts end early, by a delete. Dropping those entries when they outnumber the
  // others costs a constant per deadline, and memory follows what is in flight, not the traffic.
  const dropCancelled = (): void => {
    if (heap.length <= SMALL_HEAP || cancelled * 2 <= heap.length) return;
    heap.init(heap.toArray().filter(({ run }) => run !== undefined));
    cancelled = 0;
  };

  return {
    schedule(dueMs, run): Deadline {
      const deadline: Deadline = { dueMs, run };
      heap.push(deadline);
      arm();
      return deadline;
    },
    cancel(deadline): void {
      if (deadline?.run === undefined) return;
      deadline.run = undefined;
      cancelled += 1;
      dropCancelled();
    },
    runDue,
    get pending(): number {
      return heap.length - cancelled;
    },
    close(): void {
      clearTimeout(timer);
      timer = undefined;
      timerDueMs = Number.POSITIVE_INFINITY;
      heap.clear();
      cancelled = 0;
    },
  };
}
