import { MetricMathError } from "./metric-math-tokens.ts";
import type { Series } from "./time-grid.ts";

/** What a part of an expression comes to: S, TS and TS[] in CloudWatch's words. */
export type MathValue =
  | { readonly kind: "scalar"; readonly value: number }
  | { readonly kind: "series"; readonly series: Series }
  | { readonly kind: "array"; readonly items: readonly Series[] };

export function scalar(value: number): MathValue {
  return { kind: "scalar", value };
}

/** A value that is not finite, such as after a division by zero, is dropped as CloudWatch does. */
export function seriesOf(values: Series): MathValue {
  const series = values.map((value) => (Number.isFinite(value) ? value : undefined));
  return { kind: "series", series };
}

/** Applies `change` to the series, or to each series of an array.
 *  @throws MetricMathError for a scalar. */
export function mapSeries(value: MathValue, change: (series: Series) => Series): MathValue {
  switch (value.kind) {
    case "series":
      return seriesOf(change(value.series));
    case "array":
      return { kind: "array", items: value.items.map(change) };
    case "scalar":
      throw new MetricMathError(`Expected a time series, got the number ${value.value}`);
    default:
      return value satisfies never;
  }
}

/**
 * Combines two values point by point. Where only one of two series has a point, the other counts as
 * 0; where neither has, there is no point.
 */
export function combine(
  left: MathValue,
  right: MathValue,
  apply: (left: number, right: number) => number,
): MathValue {
  if (left.kind === "array") {
    if (right.kind === "array") {
      throw new MetricMathError("Expected at most one array of time series per operator, got two");
    }
    return mapSeries(left, (item) => pointwise(item, right, apply));
  }
  if (right.kind === "array") {
    return mapSeries(right, (item) => pointwise(item, left, (r, l) => apply(l, r)));
  }
  if (left.kind === "series") return seriesOf(pointwise(left.series, right, apply));
  if (right.kind === "series") {
    return seriesOf(pointwise(right.series, left, (r, l) => apply(l, r)));
  }
  return scalar(apply(left.value, right.value));
}

function pointwise(
  left: Series,
  right: Exclude<MathValue, { readonly kind: "array" }>,
  apply: (left: number, right: number) => number,
): Series {
  return left.map((value, index) => {
    const other = right.kind === "scalar" ? right.value : right.series[index];
    const absent = value === undefined && (right.kind === "scalar" || other === undefined);
    return absent ? undefined : apply(value ?? 0, other ?? 0);
  });
}
