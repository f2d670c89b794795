/** What is known of the values that one metric had in one stretch of time. */
export type StatisticSet = {
  readonly sum: number;
  readonly count: number;
  readonly minimum: number;
  readonly maximum: number;
  /** How often each value came, for percentiles; undefined where only the aggregates are known. */
  readonly distribution: ReadonlyMap<number, number> | undefined;
};

/** Statistics that a StatisticSet can answer, in CloudWatch's spelling; `p99.9` for percentiles. */
export const STATISTIC_PATTERN =
  /^(Sum|Average|Minimum|Maximum|SampleCount|p(100|\d{1,2}(\.\d+)?))$/;

/** More distinct values than this are kept to two significant digits, so that a set stays small. */
const DISTINCT_MAX = 500;

export function statisticsOfValue(value: number): StatisticSet {
  return statisticsOfValues([value]);
}

/** `counts[i]` is how often `values[i]` came, 1 where it is left out.
 *  @throws RangeError when there is no value. */
export function statisticsOfValues(
  values: readonly number[],
  counts: readonly number[] = [],
): StatisticSet {
  if (values.length === 0) throw new RangeError("Expected at least one value, got none");
  const distribution = new Map<number, number>();
  let sum = 0;
  let count = 0;
  for (const [index, value] of values.entries()) {
    const times = counts[index] ?? 1;
    sum += value * times;
    count += times;
    distribution.set(value, (distribution.get(value) ?? 0) + times);
  }
  return { sum, count, minimum: Math.min(...values), maximum: Math.max(...values), distribution };
}

/** Several sets taken together; undefined for none. */
export function mergeStatistics(sets: readonly StatisticSet[]): StatisticSet | undefined {
  const [first, ...rest] = sets;
  return first === undefined || rest.length === 0 ? first : rest.reduce(merge, first);
}

/** The value of a statistic, or undefined where the set cannot tell: no values, or a percentile of
 *  values of which only the aggregates are known. */
export function statisticOf(set: StatisticSet | undefined, statistic: string): number | undefined {
  if (set === undefined || set.count === 0) return undefined;
  switch (statistic) {
    case "Sum":
      return set.sum;
    case "Average":
      return set.sum / set.count;
    case "Minimum":
      return set.minimum;
    case "Maximum":
      return set.maximum;
    case "SampleCount":
      return set.count;
    default:
      return percentileOf(set, Number(statistic.slice(1)));
  }
}

function merge(left: StatisticSet, right: StatisticSet): StatisticSet {
  return {
    sum: left.sum + right.sum,
    count: left.count + right.count,
    minimum: Math.min(left.minimum, right.minimum),
    maximum: Math.max(left.maximum, right.maximum),
    distribution: mergeDistributions(left.distribution, right.distribution),
  };
}

function mergeDistributions(
  left: ReadonlyMap<number, number> | undefined,
  right: ReadonlyMap<number, number> | undefined,
): ReadonlyMap<number, number> | undefined {
  if (left === undefined || right === undefined) return undefined;
  const exact = left.size + right.size <= DISTINCT_MAX;
  const merged = new Map(exact ? left : []);
  for (const [value, times] of exact ? right : [...left, ...right]) {
    const kept = exact ? value : Number(value.toPrecision(2));
    merged.set(kept, (merged.get(kept) ?? 0) + times);
  }
  return merged;
}

function percentileOf(set: StatisticSet, percentile: number): number | undefined {
  if (set.minimum === set.maximum) return set.minimum;
  if (set.distribution === undefined) return undefined;
  const rank = (percentile / 100) * set.count;
  let seen = 0;
  for (const [value, times] of [...set.distribution].sort(([a], [b]) => a - b)) {
    seen += times;
    if (seen >= rank) return value;
  }
  return set.maximum;
}
