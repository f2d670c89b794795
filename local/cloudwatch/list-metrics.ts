import * as v from "valibot";
import type { MetricIdentity, MetricStore } from "./metric-store.ts";
import { pageOf, readRequest } from "./request.ts";

/** Metrics on one page, as on AWS. */
const LIST_PAGE = 500;

const listSchema = v.object({
  Namespace: v.optional(v.string()),
  MetricName: v.optional(v.string()),
  Dimensions: v.optional(
    v.array(v.object({ Name: v.string(), Value: v.optional(v.string()) })),
    [],
  ),
  NextToken: v.optional(v.string()),
});

/** Answers ListMetrics: every metric that has data and matches. */
export function listMetrics(input: unknown, store: MetricStore): unknown {
  const filter = readRequest(listSchema, input);
  const found = store.list().filter((metric) => isListed(metric, filter));
  const { page, ...more } = pageOf(found, LIST_PAGE, filter.NextToken);
  const Metrics = page.map(({ namespace, metricName, dimensions }) => ({
    Namespace: namespace,
    MetricName: metricName,
    Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
  }));
  return { Metrics, ...more };
}

function isListed(
  { namespace, metricName, dimensions }: MetricIdentity,
  filter: v.InferOutput<typeof listSchema>,
): boolean {
  return (
    (filter.Namespace ?? namespace) === namespace &&
    (filter.MetricName ?? metricName) === metricName &&
    filter.Dimensions.every(({ Name, Value }) =>
      Value === undefined ? Object.hasOwn(dimensions, Name) : dimensions[Name] === Value,
    )
  );
}
