import { partitionOf } from "../partition.ts";
import {
  failureOf,
  type ReferenceHandler,
  type ReferenceLetter,
  type ReferenceRecord,
} from "./reference-record.ts";
import { type ReferenceReplay, type ReplayPlan, replayLetters } from "./reference-replay.ts";

export type ReferenceDrain = { readonly delivered: number; readonly dead: number };

export type ReferenceBacklog = {
  readonly count: number;
  /** Payloads only. */
  readonly bytes: number;
  /** 0 where the queue is empty or all of it lies in the future. */
  readonly oldestAgeMs: number;
};

/**
 * The whole idea in memory, without AWS: an executable reference of order, retry at the head, dead
 * letters and replay, that tests and docs point at. The deployed backlog differs where a network
 * does: it counts attempts by id, waits between two tries, and a replay goes through the queue.
 *
 * It answers as the implementation behind test/vectors/traces.json does, except where that one loses
 * records, forgets a replay or hangs: whatever a handler throws is a failure of its record alone;
 * draining without a handler throws before a record is touched; a drain or replay from within a
 * handler throws, for a partition has one consumer; and ages have no upper bound.
 */
export class ReferenceQueue {
  readonly #lines: readonly ReferenceRecord[][];
  readonly #nowMs: () => number;
  #letters: readonly ReferenceLetter[] = [];
  #busy = false;

  /**
   * The number of partitions is for the queue's life; below 1 counts as 1.
   * @throws RangeError where it is no whole number.
   */
  constructor(partitions: number, nowMs: () => number) {
    const count = Math.max(1, partitions);
    partitionOf("", count);
    this.#lines = Array.from({ length: count }, () => []);
    this.#nowMs = nowMs;
  }

  /** Puts a record at the tail of its key's partition and says which that is. */
  publish(record: ReferenceRecord): number {
    const partition = partitionOf(record.key, this.#lines.length);
    this.#lines[partition]?.push(record);
    return partition;
  }

  /**
   * Handles one partition in order until it is empty or a record has to be retried: that one stays
   * at the head with one more attempt, and all behind it wait for the next call. At `attemptsMax`
   * (below 1 counts as 1) it becomes a dead letter and the pass goes on. A partition that does not
   * exist is an empty one.
   */
  drain(
    partition: number,
    attemptsMax: number,
    handle: ReferenceHandler | undefined,
  ): ReferenceDrain {
    const line = this.#lines[partition];
    if (line === undefined || line.length === 0) return { delivered: 0, dead: 0 };
    if (handle === undefined) {
      throw new TypeError(
        `Expected a handler for the ${line.length} records of partition ${partition}, got none. They are untouched`,
      );
    }
    return this.#exclusive(() => this.#drainLine(line, Math.max(1, attemptsMax), handle));
  }

  /** Retrying records count with the time of their publish; dead letters do not count. */
  backlog(nowMs: number): ReferenceBacklog {
    const records = this.#lines.flat();
    return {
      count: records.length,
      bytes: records.reduce((sum, { payload }) => sum + payload.length, 0),
      oldestAgeMs: records.reduce(
        (oldest, { enqueuedAtMs }) => Math.max(oldest, nowMs - enqueuedAtMs),
        0,
      ),
    };
  }

  /** All dead letters in the order of their deaths, over all partitions. */
  deadLetters(): readonly ReferenceLetter[] {
    return [...this.#letters];
  }

  /** Hands each dead letter out once more; those that fail again are kept. See {@link replayLetters}. */
  replay(plan: ReplayPlan): ReferenceReplay {
    return this.#exclusive(() => {
      const { remaining, ...result } = replayLetters(this.#letters, plan);
      this.#letters = remaining;
      return result;
    });
  }

  #drainLine(
    line: ReferenceRecord[],
    attemptsMax: number,
    handle: ReferenceHandler,
  ): ReferenceDrain {
    let delivered = 0;
    let dead = 0;
    for (let head = line[0]; head !== undefined; head = line[0]) {
      const reason = failureOf(() => handle(head));
      if (reason === undefined) {
        line.shift();
        delivered += 1;
        continue;
      }
      const failed = { ...head, attempts: head.attempts + 1 };
      // `>=`, not `===`: the maximum may have been lowered since the last call.
      if (failed.attempts < attemptsMax) {
        line[0] = failed;
        break;
      }
      this.#letters = [...this.#letters, { record: failed, reason, failedAtMs: this.#nowMs() }];
      line.shift();
      dead += 1;
    }
    return { delivered, dead };
  }

  #exclusive<T>(pass: () => T): T {
    if (this.#busy) {
      throw new Error(
        "Expected no drain or replay within a handler of the same queue. Call it after this one returns",
      );
    }
    this.#busy = true;
    try {
      return pass();
    } finally {
      this.#busy = false;
    }
  }
}
