import { interpolate, repeat } from "./fill-series.ts";
import { combine, type MathValue, mapSeries, scalar, seriesOf } from "./math-value.ts";
import { MATH_FUNCTIONS } from "./metric-math-functions.ts";
import { MATH_OPERATORS } from "./metric-math-operators.ts";
import { type Expression, parseExpression } from "./metric-math-syntax.ts";
import { MetricMathError } from "./metric-math-tokens.ts";
import type { Series, TimeGrid } from "./time-grid.ts";

export type MathContext = {
  readonly grid: TimeGrid;
  /** What the metric or expression of this id comes to on the grid; undefined if there is none. */
  readonly lookUp: (id: string) => MathValue | undefined;
  /** Ids of all metrics of the request, expressions left out, for METRICS(). */
  readonly metricIds: readonly string[];
};

type Call = Extract<Expression, { readonly kind: "call" }>;

/**
 * Evaluates a metric math expression on a grid of buckets.
 * @throws MetricMathError where CloudWatch would refuse the expression, and for functions that are
 * not supported here (SEARCH, anomaly bands, sorting and the calendar).
 */
export function evaluateExpression(source: string, context: MathContext): MathValue {
  return evaluate(parseExpression(source), context);
}

function evaluate(expression: Expression, context: MathContext): MathValue {
  switch (expression.kind) {
    case "number":
      return scalar(expression.value);
    case "text":
      throw new MetricMathError(`Expected a value, got the text "${expression.value}"`);
    case "name":
      return named(expression.name, context);
    case "array":
      return arrayOf(expression.items.map((item) => evaluate(item, context)));
    case "negation":
      return combine(
        scalar(0),
        evaluate(expression.operand, context),
        (zero, value) => zero - value,
      );
    case "operation":
      return operation(expression, context);
    case "call":
      return call(expression, context);
    default:
      return expression satisfies never;
  }
}

function named(id: string, { lookUp }: MathContext): MathValue {
  const value = lookUp(id);
  if (value === undefined) {
    throw new MetricMathError(`Expected the id of a metric or an expression, got \`${id}\``);
  }
  return value;
}

function arrayOf(values: readonly MathValue[]): MathValue {
  const items = values.flatMap((value): readonly Series[] => {
    if (value.kind === "array") return value.items;
    if (value.kind === "series") return [value.series];
    throw new MetricMathError(
      `Expected time series in an array, got the number ${value.value}; use TIME_SERIES(${value.value})`,
    );
  });
  return { kind: "array", items };
}

function operation(
  { operator, left, right }: Extract<Expression, { readonly kind: "operation" }>,
  context: MathContext,
): MathValue {
  const apply = MATH_OPERATORS[operator];
  if (apply === undefined) throw new MetricMathError(`Expected an operator, got \`${operator}\``);
  return combine(evaluate(left, context), evaluate(right, context), apply);
}

function call(expression: Call, context: MathContext): MathValue {
  switch (expression.name) {
    case "IF":
      return condition(expression, context);
    case "FILL":
      return fill(expression, context);
    case "METRICS":
      return metrics(expression, context);
    default: {
      const apply = MATH_FUNCTIONS.get(expression.name);
      if (apply === undefined) {
        const known = ["IF", "FILL", "METRICS", ...MATH_FUNCTIONS.keys()].join(", ");
        throw new MetricMathError(`Expected one of ${known}; got \`${expression.name}\``);
      }
      return apply(
        expression.arguments.map((each) => evaluate(each, context)),
        context.grid,
      );
    }
  }
}

/** A missing datapoint of the condition gives none. Where the condition is a series, a missing one of
 *  the second argument is 0; of the third it is dropped. */
function condition(expression: Call, context: MathContext): MathValue {
  const [test, yes, no, ...more] = expression.arguments.map((each) => evaluate(each, context));
  if (test === undefined || yes === undefined || more.length > 0) {
    throw new MetricMathError("Expected IF(condition, value) or IF(condition, value, otherwise)");
  }
  if (test.kind === "scalar" && yes.kind === "scalar" && no?.kind === "scalar") {
    return test.value === 0 ? no : yes;
  }
  const missingYes = test.kind === "scalar" ? undefined : 0;
  const [testAt, yesAt, noAt] = [pointsOf(test), pointsOf(yes), pointsOf(no ?? seriesOf([]))];
  const series = Array.from({ length: context.grid.count }, (_, index) => {
    const value = testAt(index);
    if (value === undefined) return undefined;
    return value === 0 ? noAt(index) : (yesAt(index) ?? missingYes);
  });
  return seriesOf(series);
}

/** The value at each index, of a scalar the same everywhere. */
function pointsOf(value: MathValue): (index: number) => number | undefined {
  switch (value.kind) {
    case "scalar":
      return () => value.value;
    case "series":
      return (index) => value.series[index];
    case "array":
      throw new MetricMathError("Expected one time series in IF or FILL, got an array");
    default:
      return value satisfies never;
  }
}

/** A metric without any data is filled over the whole range. */
function fill(expression: Call, context: MathContext): MathValue {
  const [target, filler, ...more] = expression.arguments;
  if (target === undefined || filler === undefined || more.length > 0) {
    throw new MetricMathError(
      "Expected FILL(metric, value), FILL(metric, REPEAT) or FILL(metric, LINEAR)",
    );
  }
  const value = evaluate(target, context);
  if (filler.kind === "name" && filler.name === "REPEAT") return mapSeries(value, repeat);
  if (filler.kind === "name" && filler.name === "LINEAR") return mapSeries(value, interpolate);
  const substituteAt = pointsOf(evaluate(filler, context));
  return mapSeries(value, (series) => series.map((each, index) => each ?? substituteAt(index)));
}

function metrics(expression: Call, context: MathContext): MathValue {
  const [filter, ...more] = expression.arguments;
  if (more.length > 0 || (filter !== undefined && filter.kind !== "text")) {
    throw new MetricMathError('Expected METRICS() or METRICS("part of an id")');
  }
  const ids = context.metricIds.filter((id) => filter === undefined || id.includes(filter.value));
  return arrayOf(ids.map((id) => named(id, context)));
}
