import { type Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { Backlog } from "../../core/backlog.ts";
import { SNAPSHOT_METRICS } from "../../core/metrics.ts";

/** Adds a snapshot to the metrics of this minute. What is not known is left out: a 0 would be a
 *  claim. */
export function measureBacklog(backlog: Backlog, metrics: Metrics): void {
  const { oldestRetryingAgeMs, count, bytes, letters, discarded, nearestExpiryMs } = backlog;
  metrics.addMetric(
    SNAPSHOT_METRICS.oldestRetryingAge,
    MetricUnit.Seconds,
    oldestRetryingAgeMs / 1000,
  );
  metrics.addMetric(SNAPSHOT_METRICS.count, MetricUnit.Count, count);
  metrics.addMetric(SNAPSHOT_METRICS.letters, MetricUnit.Count, letters);
  if (discarded > 0) {
    metrics.addMetric(SNAPSHOT_METRICS.discarded, MetricUnit.Count, discarded);
  }
  if (bytes !== undefined) metrics.addMetric(SNAPSHOT_METRICS.bytes, MetricUnit.Bytes, bytes);
  if (nearestExpiryMs !== undefined) {
    metrics.addMetric(SNAPSHOT_METRICS.nearestExpiry, MetricUnit.Seconds, nearestExpiryMs / 1000);
  }
}
