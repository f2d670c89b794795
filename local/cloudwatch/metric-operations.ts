import type { Operation } from "../http/aws-json.ts";
import { getMetricData } from "./get-metric-data.ts";
import { getMetricStatistics } from "./get-metric-statistics.ts";
import { listMetrics } from "./list-metrics.ts";
import type { MetricStore } from "./metric-store.ts";
import { putMetricData } from "./put-metric-data.ts";

/** CloudWatch's operations on metrics: put, list and read. */
export function metricOperations(
  store: MetricStore,
  now: () => number,
): Readonly<Record<string, Operation>> {
  return {
    PutMetricData: (input) => putMetricData(input, store, now()),
    ListMetrics: (input) => listMetrics(input, store),
    GetMetricData: (input) => getMetricData(input, store),
    GetMetricStatistics: (input) => getMetricStatistics(input, store),
  };
}
