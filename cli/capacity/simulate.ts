import { Heap } from "heap-js";
import type { ArrivalMoment } from "./arrivals.ts";
import { createGroupQueues } from "./group-queues.ts";
import type { Load } from "./load.ts";

/** The part of a load that decides how long batches take. */
export type Service = Pick<
  Load,
  "handlerMs" | "batchSize" | "concurrency" | "ledgerMs" | "overheadMs"
>;

/** What came of the records published up to `untilMs`. */
export type Simulated = {
  /** Milliseconds from publish to the end of the handler, by partition, in the order of handling. */
  readonly agesMs: ReadonlyMap<number, readonly number[]>;
  /** Drains by partition: its shares of batches, each of which is one write of the ledger. */
  readonly drains: ReadonlyMap<number, number>;
  /** Milliseconds up to `untilMs` in which each partition was in flight. */
  readonly busyMs: ReadonlyMap<number, number>;
  readonly handled: number;
  readonly batches: number;
  /** Milliseconds of all batches together, to the end of each. */
  readonly invokedMs: number;
  /** The same up to `untilMs`. */
  readonly runningMs: number;
  readonly concurrencyMax: number;
  /** Records that were still waiting at the end. */
  readonly left: number;
  readonly endMs: number;
};

/**
 * Runs a load through FIFO groups, event by event: each group is drained serially in batches, the
 * groups of one batch side by side, at most `concurrency` batches at once; a batch's groups are free
 * again when all of it is done. Retries, cold starts and Lambda's slow rise are not in it.
 * @param arrivals in the order of their time
 * @param untilMs where the run stops; Infinity = when everything is handled
 */
export function simulate(
  arrivals: Iterator<ArrivalMoment>,
  service: Service,
  untilMs: number = Number.POSITIVE_INFINITY,
): Simulated {
  const world = createWorld(arrivals, service, untilMs);
  let endMs = 0;
  for (let atMs = world.nextMs(); atMs <= untilMs && atMs < Infinity; atMs = world.nextMs()) {
    world.advance(atMs);
    endMs = atMs;
  }
  return { ...world.tally.total(), left: world.waiting(), endMs };
}

type World = {
  readonly tally: Tally;
  /** Of the next event; Infinity where nothing will happen any more. */
  nextMs(): number;
  advance(nowMs: number): void;
  waiting(): number;
};

function createWorld(arrivals: Iterator<ArrivalMoment>, service: Service, untilMs: number): World {
  const queues = createGroupQueues();
  const ends = new Heap<BatchEnd>((left, right) => left.atMs - right.atMs);
  const tally = createTally(untilMs);
  let running = 0;
  let next = arrivals.next();

  const endDue = (nowMs: number): void => {
    while ((ends.peek()?.atMs ?? Infinity) <= nowMs) {
      queues.release(ends.pop()?.groups ?? []);
      running -= 1;
    }
  };
  const publishDue = (nowMs: number): void => {
    while (!next.done && next.value.atMs <= nowMs) {
      queues.add(next.value.partition, next.value.atMs);
      next = arrivals.next();
    }
  };
  const receive = (nowMs: number): void => {
    while (running < service.concurrency && queues.isReady) {
      const taken = queues.take(service.batchSize);
      ends.push({ atMs: tally.batch(nowMs, taken, service), groups: [...taken.keys()] });
      running += 1;
      tally.sawRunning(running);
    }
  };
  return {
    tally,
    nextMs: () => Math.min(next.done ? Infinity : next.value.atMs, ends.peek()?.atMs ?? Infinity),
    // All that one moment brings is there before a receive looks.
    advance(nowMs): void {
      endDue(nowMs);
      publishDue(nowMs);
      receive(nowMs);
    },
    waiting: () => queues.waiting,
  };
}

type BatchEnd = { readonly atMs: number; readonly groups: readonly number[] };

type Tally = {
  /** Notes a batch that begins now. @returns when it ends */
  batch(nowMs: number, taken: ReadonlyMap<number, readonly number[]>, service: Service): number;
  sawRunning(running: number): void;
  total(): Omit<Simulated, "left" | "endMs">;
};

function createTally(untilMs: number): Tally {
  const agesMs = new Map<number, number[]>();
  const busyMs = new Map<number, number>();
  const drains = new Map<number, number>();
  const sums = { handled: 0, batches: 0, invokedMs: 0, runningMs: 0, concurrencyMax: 0 };
  return {
    batch(nowMs, taken, { handlerMs, ledgerMs, overheadMs }): number {
      const most = Math.max(...[...taken.values()].map(({ length }) => length));
      const workMs = most * handlerMs + ledgerMs;
      const leftMs = untilMs - nowMs;
      for (const [group, moments] of taken) {
        const ages = agesMs.get(group) ?? [];
        agesMs.set(group, ages);
        for (const [place, atMs] of moments.entries()) {
          ages.push(nowMs + overheadMs / 2 + (place + 1) * handlerMs - atMs);
        }
        busyMs.set(group, (busyMs.get(group) ?? 0) + Math.min(workMs + overheadMs, leftMs));
        drains.set(group, (drains.get(group) ?? 0) + 1);
        sums.handled += moments.length;
      }
      sums.batches += 1;
      sums.invokedMs += workMs;
      sums.runningMs += Math.min(workMs, leftMs);
      return nowMs + workMs + overheadMs;
    },
    sawRunning(running): void {
      sums.concurrencyMax = Math.max(sums.concurrencyMax, running);
    },
    total: () => ({ agesMs, drains, busyMs, ...sums }),
  };
}
