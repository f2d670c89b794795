/** Equal buckets side by side: bucket `i` holds `[startMs + i * periodMs, startMs + (i + 1) * periodMs)`. */
export type TimeGrid = {
  /** Epoch milliseconds. */
  readonly startMs: number;
  readonly periodMs: number;
  readonly count: number;
};

/** One value per bucket of a grid, oldest first; undefined where nothing was reported. */
export type Series = readonly (number | undefined)[];

/** AWS answers a request with at most this many values. */
const BUCKETS_MAX = 100_800;

/**
 * A CloudWatch minute in real milliseconds. `divisor` is how much faster than on AWS alarms and
 * periods run, 1 and up; timestamps stay real.
 */
export function minuteMsOf(divisor: number): number {
  return Math.max(1, Math.round(60_000 / divisor));
}

/**
 * The real length of a period that is given in CloudWatch's seconds. Whole minutes are multiples of
 * `minuteMsOf`, so that rounding never moves a bucket's edge away from a minute's.
 */
export function periodMsOf(periodSeconds: number, divisor: number): number {
  return periodSeconds % 60 === 0
    ? (periodSeconds / 60) * minuteMsOf(divisor)
    : Math.max(1, Math.round((periodSeconds * 1000) / divisor));
}

/** The buckets, aligned to multiples of the period, that start before `endMs` and end after
 *  `startMs`; the newest 100,800 of them where there are more. */
export function gridBetween(startMs: number, endMs: number, periodMs: number): TimeGrid {
  const end = Math.ceil(endMs / periodMs);
  const first = Math.max(Math.floor(startMs / periodMs), end - BUCKETS_MAX);
  return { startMs: first * periodMs, periodMs, count: Math.max(0, end - first) };
}

/** The last `count` buckets before `endMs`, the newest one ending there. */
export function gridBefore(endMs: number, periodMs: number, count: number): TimeGrid {
  return { startMs: endMs - count * periodMs, periodMs, count };
}

export function bucketStartMs({ startMs, periodMs }: TimeGrid, index: number): number {
  return startMs + index * periodMs;
}
