import { type MathValue, mapSeries, scalar, seriesOf } from "./math-value.ts";
import { MetricMathError } from "./metric-math-tokens.ts";
import type { Series, TimeGrid } from "./time-grid.ts";

/** A function whose arguments are all values. */
export type MathFunction = (values: readonly MathValue[], grid: TimeGrid) => MathValue;

/** By name; IF, FILL and METRICS, which look at their arguments' text or leave some out, are in
 *  `metric-math.ts`. */
export const MATH_FUNCTIONS: ReadonlyMap<string, MathFunction> = new Map([
  ["ABS", each(pointwise(Math.abs))],
  ["CEIL", each(pointwise(Math.ceil))],
  ["FLOOR", each(pointwise(Math.floor))],
  ["LOG", each(pointwise(Math.log))],
  ["LOG10", each(pointwise(Math.log10))],
  ["DIFF", each((series) => stepwise(series, (step) => step))],
  [
    "RATE",
    each((series, periodMs) =>
      stepwise(series, (step, buckets) => step / seconds(buckets, periodMs)),
    ),
  ],
  [
    "DIFF_TIME",
    each((series, periodMs) => stepwise(series, (_, buckets) => seconds(buckets, periodMs))),
  ],
  ["RUNNING_SUM", each(runningSum)],
  ["SUM", reduction((present) => present.reduce((sum, value) => sum + value, 0))],
  ["MAX", reduction((present) => Math.max(...present))],
  ["MIN", reduction((present) => Math.min(...present))],
  ["AVG", average],
  ["DATAPOINT_COUNT", reduction((present) => present.length)],
  ["METRIC_COUNT", metricCount],
  ["FIRST", first],
  ["LAST", last],
  ["PERIOD", period],
  ["TIME_SERIES", timeSeries],
]);

function each(change: (series: Series, periodMs: number) => Series): MathFunction {
  return (values, { periodMs }) => mapSeries(only(values), (series) => change(series, periodMs));
}

function pointwise(apply: (value: number) => number): (series: Series) => Series {
  return (series) => series.map((value) => (value === undefined ? undefined : apply(value)));
}

/** From the datapoint before to this one, however many empty buckets lie between. */
function stepwise(series: Series, apply: (step: number, buckets: number) => number): Series {
  let before: { readonly value: number; readonly index: number } | undefined;
  return series.map((value, index) => {
    if (value === undefined) return undefined;
    const result =
      before === undefined ? undefined : apply(value - before.value, index - before.index);
    before = { value, index };
    return result;
  });
}

function seconds(buckets: number, periodMs: number): number {
  return (buckets * periodMs) / 1000;
}

function runningSum(series: Series): Series {
  let sum = 0;
  return series.map((value) => {
    sum += value ?? 0;
    return sum;
  });
}

/** One series becomes a scalar, an array becomes one series; missing points do not count. */
function reduction(reduce: (present: readonly number[]) => number): MathFunction {
  const ofPresent = (values: Series): number | undefined => {
    const present = values.filter((value) => value !== undefined);
    return present.length === 0 ? undefined : reduce(present);
  };
  return (values) => {
    const value = only(values);
    if (value.kind === "series") return scalar(ofPresent(value.series) ?? Number.NaN);
    return seriesOf(acrossItems(arrayOf(value), ofPresent));
  };
}

/** Of an array, a missing value counts as 0 where another series has one. */
function average(values: readonly MathValue[], grid: TimeGrid): MathValue {
  const value = only(values);
  const mean = (present: readonly number[], count: number): number =>
    present.reduce((sum, value) => sum + value, 0) / count;
  if (value.kind !== "array")
    return reduction((present) => mean(present, present.length))(values, grid);
  return reduction((present) => mean(present, value.items.length))(values, grid);
}

function metricCount(values: readonly MathValue[]): MathValue {
  return scalar(arrayOf(only(values)).length);
}

function first(values: readonly MathValue[]): MathValue {
  return seriesOf(arrayOf(only(values))[0] ?? []);
}

function last(values: readonly MathValue[]): MathValue {
  return seriesOf(arrayOf(only(values)).at(-1) ?? []);
}

function period(_: readonly MathValue[], { periodMs }: TimeGrid): MathValue {
  return scalar(periodMs / 1000);
}

function timeSeries(values: readonly MathValue[], { count }: TimeGrid): MathValue {
  const value = only(values);
  if (value.kind === "scalar") return seriesOf(new Array(count).fill(value.value));
  throw new MetricMathError("Expected a number in TIME_SERIES, got a time series");
}

function acrossItems(
  items: readonly Series[],
  reduce: (values: Series) => number | undefined,
): Series {
  return (items[0] ?? []).map((_, index) => reduce(items.map((item) => item[index])));
}

function arrayOf(value: MathValue): readonly Series[] {
  if (value.kind === "array") return value.items;
  if (value.kind === "series") return [value.series];
  throw new MetricMathError(`Expected an array of time series, got the number ${value.value}`);
}

function only(values: readonly MathValue[]): MathValue {
  const [value] = values;
  if (value === undefined || values.length > 1) {
    throw new MetricMathError(`Expected one argument, got ${values.length}`);
  }
  return value;
}
