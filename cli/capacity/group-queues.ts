/** FIFO groups as SQS hands them out: a group that is in flight gives nothing, and a receive takes
 *  what it can of one group before it goes to the next. */
export type GroupQueues = {
  add(group: number, atMs: number): void;
  /** Moments of the records taken, by group; empty where no group is free. */
  take(recordsMax: number): ReadonlyMap<number, readonly number[]>;
  /** Ends a batch: its groups are free again. */
  release(groups: Iterable<number>): void;
  readonly isReady: boolean;
  readonly waiting: number;
};

export function createGroupQueues(): GroupQueues {
  const queues = new Map<number, Line>();
  /** Groups that are free and hold records, the longest ready first. */
  const ready = new Set<number>();
  let waiting = 0;

  const lineOf = (group: number): Line => {
    const line = queues.get(group) ?? { moments: [], first: 0, inFlight: false };
    queues.set(group, line);
    return line;
  };

  return {
    get isReady(): boolean {
      return ready.size > 0;
    },
    get waiting(): number {
      return waiting;
    },
    add(group, atMs): void {
      const line = lineOf(group);
      line.moments.push(atMs);
      waiting += 1;
      if (!line.inFlight) ready.add(group);
    },
    take(recordsMax): ReadonlyMap<number, readonly number[]> {
      const taken = new Map<number, readonly number[]>();
      let room = recordsMax;
      for (const group of ready) {
        if (room === 0) break;
        const line = lineOf(group);
        const moments = takeFrom(line, room);
        room -= moments.length;
        waiting -= moments.length;
        line.inFlight = true;
        ready.delete(group);
        taken.set(group, moments);
      }
      return taken;
    },
    release(groups): void {
      for (const group of groups) {
        const line = lineOf(group);
        line.inFlight = false;
        if (line.first < line.moments.length) ready.add(group);
      }
    },
  };
}

type Line = { moments: number[]; first: number; inFlight: boolean };

const FORGOTTEN_AT_ONCE = 10_000;

function takeFrom(line: Line, room: number): readonly number[] {
  const moments = line.moments.slice(line.first, line.first + room);
  line.first += moments.length;
  if (line.first >= FORGOTTEN_AT_ONCE) {
    line.moments = line.moments.slice(line.first);
    line.first = 0;
  }
  return moments;
}
