import {
  type CloudWatchClient,
  GetMetricDataCommand,
  type MetricDataQuery,
} from "@aws-sdk/client-cloudwatch";
import { type NewestSizes, SIZES_WITHIN_MS } from "../../core/drained.ts";
import { METRIC_DIMENSION, METRIC_NAMESPACE, SNAPSHOT_METRICS } from "../../core/metrics.ts";

/** What the snapshots of a backlog measured last, by its name alone. @throws where CloudWatch fails. */
export async function readNewestSizes(
  client: CloudWatchClient,
  backlog: string,
  options: { readonly nowMs: number; readonly abortSignal: AbortSignal },
): Promise<NewestSizes> {
  const { nowMs, abortSignal } = options;
  const { MetricDataResults = [] } = await client.send(
    new GetMetricDataCommand({
      MetricDataQueries: [
        queryOf("counts", backlog, SNAPSHOT_METRICS.count),
        queryOf("letters", backlog, SNAPSHOT_METRICS.letters),
      ],
      StartTime: new Date(nowMs - SIZES_WITHIN_MS),
      EndTime: new Date(nowMs),
      ScanBy: "TimestampDescending",
    }),
    { abortSignal },
  );
  const valuesOf = (id: string): readonly number[] =>
    MetricDataResults.find(({ Id }) => Id === id)?.Values ?? [];
  return { counts: valuesOf("counts"), letters: valuesOf("letters") };
}

function queryOf(Id: string, backlog: string, MetricName: string): MetricDataQuery {
  const Dimensions = [{ Name: METRIC_DIMENSION, Value: backlog }];
  return {
    Id,
    MetricStat: {
      Metric: { Namespace: METRIC_NAMESPACE, MetricName, Dimensions },
      Stat: "Maximum",
      Period: 60,
    },
  };
}
