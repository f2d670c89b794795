import { type Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { Backlog } from "../../core/backlog.ts";
import { SNAPSHOT_METRICS } from "../../core/metrics.ts";
import type { Settings } from "../../core/settings.ts";

/** Adds a snapshot to the metrics of this minute. What is not known is left out: a 0 would be a
 *  claim. */
export function measureBacklog(
  backlog: Backlog,
  { letterRetentionSeconds }: Pick<Settings, "letterRetentionSeconds">,
  metrics: Metrics,
): void {
  const { oldestRetryingAgeMs, count, bytes, letters, discarded } = backlog;
  // Said of no letters, too: else their alarm could not tell that from a snapshot that is missing.
  const noLettersMs = letters === 0 ? letterRetentionSeconds * 1000 : undefined;
  const nearestExpiryMs = backlog.nearestExpiryMs ?? noLettersMs;
  metrics.addMetric(
    SNAPSHOT_METRICS.oldestRetryingAge,
    MetricUnit.Seconds,
    oldestRetryingAgeMs / 1000,
  );
  metrics.addMetric(SNAPSHOT_METRICS.count, MetricUnit.Count, count);
  metrics.addMetric(SNAPSHOT_METRICS.letters, MetricUnit.Count, letters);
  metrics.addMetric(SNAPSHOT_METRICS.discarded, MetricUnit.Count, discarded);
  if (bytes !== undefined) metrics.addMetric(SNAPSHOT_METRICS.bytes, MetricUnit.Bytes, bytes);
  if (nearestExpiryMs !== undefined) {
    metrics.addMetric(SNAPSHOT_METRICS.nearestExpiry, MetricUnit.Seconds, nearestExpiryMs / 1000);
  }
}
