import * as v from "valibot";
import { type MathValue, seriesOf } from "./math-value.ts";
import { evaluateExpression } from "./metric-math.ts";
import { MetricMathError } from "./metric-math-tokens.ts";
import type { MetricStore } from "./metric-store.ts";
import { STATISTIC_PATTERN } from "./statistic-set.ts";
import { periodMsOf, type TimeGrid } from "./time-grid.ts";

export const dimensionsSchema = v.pipe(
  v.array(v.object({ Name: v.string(), Value: v.string() })),
  v.maxLength(30),
  v.transform((pairs) => Object.fromEntries(pairs.map(({ Name, Value }) => [Name, Value]))),
);

/** Seconds: 1, 5, 10, 20, 30 or whole minutes. */
export const periodSchema = v.pipe(
  v.number(),
  v.check(
    (period) => [1, 5, 10, 20, 30].includes(period) || (period > 0 && period % 60 === 0),
    "Expected a period of 1, 5, 10, 20, 30 or a multiple of 60 seconds",
  ),
);

/** Trimmed means and the like are not supported here. */
export const statisticSchema = v.pipe(v.string(), v.regex(STATISTIC_PATTERN));

/** A MetricDataQuery, alike in alarms (CloudFormation and API) and in GetMetricData. */
export const metricQuerySchema = v.pipe(
  v.object({
    Id: v.pipe(v.string(), v.regex(/^[a-z][a-zA-Z0-9_]*$/)),
    Label: v.optional(v.string()),
    Expression: v.optional(v.string()),
    Period: v.optional(periodSchema),
    ReturnData: v.optional(v.boolean(), true),
    MetricStat: v.optional(
      v.object({
        Metric: v.object({
          Namespace: v.string(),
          MetricName: v.string(),
          Dimensions: v.optional(dimensionsSchema, []),
        }),
        Period: periodSchema,
        Stat: statisticSchema,
        Unit: v.optional(v.string()),
      }),
    ),
  }),
  v.check(
    ({ Expression, MetricStat }) => (Expression === undefined) !== (MetricStat === undefined),
    "Expected either Expression or MetricStat",
  ),
);

export type MetricQuery = v.InferOutput<typeof metricQuerySchema>;

export type QueryResult = { readonly value: MathValue; readonly grid: TimeGrid };

/** The period that a query's result has, in seconds; an expression without one of its own takes
 *  the longest of the metrics beside it. */
export function periodSecondsOf(query: MetricQuery, queries: readonly MetricQuery[]): number {
  const own = query.MetricStat?.Period ?? query.Period;
  return own ?? Math.max(60, ...queries.map(({ MetricStat }) => MetricStat?.Period ?? 0));
}

/**
 * Evaluates queries that may refer to each other by id. `gridOf` gives the buckets for a period in
 * real milliseconds. The answer is lazy: only what is asked for is evaluated.
 * @throws MetricMathError on asking for an expression that is wrong, refers to nothing, or to itself.
 */
export function evaluateQueries(
  queries: readonly MetricQuery[],
  store: MetricStore,
  gridOf: (periodMs: number) => TimeGrid,
): (query: MetricQuery) => QueryResult {
  const queryById = new Map(queries.map((query) => [query.Id, query]));
  const metricIds = queries
    .filter(({ MetricStat }) => MetricStat !== undefined)
    .map(({ Id }) => Id);
  const known = new Map<string, MathValue>();
  const open = new Set<string>();

  function valueAt(query: MetricQuery, grid: TimeGrid): MathValue {
    const key = `${query.Id} ${grid.periodMs}`;
    const value = known.get(key) ?? fresh(query, grid);
    known.set(key, value);
    return value;
  }

  function fresh({ Id, MetricStat, Expression = "" }: MetricQuery, grid: TimeGrid): MathValue {
    if (MetricStat !== undefined) return metricValue(MetricStat, store, grid);
    if (open.has(Id)) throw new MetricMathError(`The expression \`${Id}\` refers to itself`);
    open.add(Id);
    const lookUp = (id: string): MathValue | undefined => {
      const referred = queryById.get(id);
      return referred === undefined ? undefined : valueAt(referred, grid);
    };
    const value = evaluateExpression(Expression, { grid, lookUp, metricIds });
    open.delete(Id);
    return value;
  }

  return (query) => {
    const grid = gridOf(periodMsOf(periodSecondsOf(query, queries), store.divisor));
    return { value: valueAt(query, grid), grid };
  };
}

function metricValue(
  { Metric, Stat, Unit }: NonNullable<MetricQuery["MetricStat"]>,
  store: MetricStore,
  grid: TimeGrid,
): MathValue {
  const identity = {
    namespace: Metric.Namespace,
    metricName: Metric.MetricName,
    dimensions: Metric.Dimensions,
  };
  return seriesOf(store.series({ ...identity, statistic: Stat, unit: Unit }, grid));
}
