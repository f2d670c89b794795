import { Duration } from "aws-cdk-lib";
import { MathExpression, Metric } from "aws-cdk-lib/aws-cloudwatch";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import {
  CONSUMER_METRICS,
  METRIC_DIMENSION,
  METRIC_NAMESPACE,
  SNAPSHOT_METRICS,
} from "../../lambdas/core/metrics.ts";

/** SQS reports once a minute, and so does the snapshot. */
const PERIOD = Duration.minutes(1);

/** A metric of the snapshot function, per minute. */
export function snapshotMetric(
  backlog: string,
  metric: keyof typeof SNAPSHOT_METRICS,
  statistic: "Maximum" | "Minimum" | "SampleCount",
): Metric {
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName: SNAPSHOT_METRICS[metric],
    dimensionsMap: { [METRIC_DIMENSION]: backlog },
    statistic,
    period: PERIOD,
  });
}

/** A metric of the consumer, per minute. */
export function consumerMetric(
  backlog: string,
  metric: keyof typeof CONSUMER_METRICS,
  statistic: "Sum" | "p50" | "p99",
): Metric {
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName: CONSUMER_METRICS[metric],
    dimensionsMap: { [METRIC_DIMENSION]: backlog },
    statistic,
    period: PERIOD,
  });
}

/** Seconds. SQS may leave out a record that was received often, and reports nothing while it sees
 *  none; the snapshot knows the retrying records. Neither alone is the oldest age. */
export function oldestAge(backlog: string, source: IQueue): MathExpression {
  return new MathExpression({
    label: "Oldest age, seconds",
    expression: "MAX([FILL(queue, 0), FILL(retrying, 0)])",
    usingMetrics: {
      queue: source.metricApproximateAgeOfOldestMessage({ statistic: "Maximum", period: PERIOD }),
      retrying: snapshotMetric(backlog, "oldestRetryingAge", "Maximum"),
    },
    period: PERIOD,
  });
}

/** Records in the source queue. The snapshot counts those in flight and delayed, too: SQS reports a
 *  metric of these only while there are some, and what FILL makes of one that it never reported is
 *  written nowhere (docs/aws-probe.md). */
export function recordCount(backlog: string, source: IQueue): MathExpression {
  return new MathExpression({
    label: "Records",
    expression: "MAX([FILL(visible, 0), FILL(records, 0)])",
    usingMetrics: {
      visible: visibleIn(source),
      records: snapshotMetric(backlog, "count", "Maximum"),
    },
    period: PERIOD,
  });
}

/**
 * 1 in a minute in which records waited and none was deleted, else 0. A minute that SQS has not
 * reported yet gives nothing, rather than a 0 that would hide the minutes before it.
 */
export function stalledMinute(source: IQueue): MathExpression {
  return new MathExpression({
    label: "Records wait and none is deleted",
    expression:
      // The outer IF is for such a minute: only a missing condition gives nothing. A sum would hang on what
      // FILL makes of a metric that was never reported; none can be delayed here. The snapshot's count is
      // not asked: whatever keeps the consumer from starting may keep the snapshot from it, too.
      "IF(visible >= 0, IF((MAX([visible, FILL(inFlight, 0)]) > 0) AND (FILL(deleted, 0) < 1), 1, 0), 0)",
    usingMetrics: {
      visible: visibleIn(source),
      inFlight: source.metricApproximateNumberOfMessagesNotVisible({
        statistic: "Maximum",
        period: PERIOD,
      }),
      deleted: source.metricNumberOfMessagesDeleted({ statistic: "Sum", period: PERIOD }),
    },
    period: PERIOD,
  });
}

/**
 * 1 in a minute of which SQS reports the source queue and the snapshot function nothing, else 0. SQS
 * says nothing of a queue that is new: a first deploy has its first snapshot by the time that it does.
 * The snapshot's own look at the queue keeps it reported.
 */
export function unseenMinute(backlog: string, source: IQueue): MathExpression {
  return new MathExpression({
    label: "No snapshot",
    expression: "IF(visible >= 0, IF(FILL(snapshots, 0) < 1, 1, 0), 0)",
    usingMetrics: {
      visible: visibleIn(source),
      snapshots: snapshotMetric(backlog, "count", "SampleCount"),
    },
    period: PERIOD,
  });
}

/** Dead letters, those that are discarded left out. A quiet queue's own metric may come a quarter of an
 *  hour late, the snapshot's comes every minute. The gauge, not the messages sent: those leave out what
 *  SQS itself moves. */
export function letterCount(backlog: string, letters: IQueue): MathExpression {
  return new MathExpression({
    label: "Dead letters",
    // SQS counts discarded letters too. Their number is repeated into a minute of which the snapshot
    // has not told yet, or the alarm would flap.
    expression: "MAX([FILL(queue, 0) - FILL(FILL(discarded, REPEAT), 0), FILL(snapshot, 0)])",
    usingMetrics: {
      queue: letters.metricApproximateNumberOfMessagesVisible({
        statistic: "Maximum",
        period: PERIOD,
      }),
      snapshot: snapshotMetric(backlog, "letters", "Maximum"),
      discarded: snapshotMetric(backlog, "discarded", "Maximum"),
    },
    period: PERIOD,
  });
}

function visibleIn(source: IQueue): Metric {
  return source.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum", period: PERIOD });
}
