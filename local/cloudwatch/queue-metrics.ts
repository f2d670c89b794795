import type { MetricDatum } from "./metric-store.ts";
import type { StatisticSet } from "./statistic-set.ts";

/** What one queue looks like at one moment. */
export type QueueSample = {
  readonly queueName: string;
  /** Messages since the queue exists; these five only grow. */
  readonly sent: number;
  readonly sentBytes: number;
  readonly received: number;
  readonly deleted: number;
  readonly emptyReceives: number;
  /** Messages right now. */
  readonly visible: number;
  readonly notVisible: number;
  readonly delayed: number;
  /** Undefined while the queue is empty. */
  readonly oldestAgeSeconds: number | undefined;
};

type Counter = "sent" | "sentBytes" | "received" | "deleted" | "emptyReceives";

/**
 * The AWS/SQS metrics that a queue reports: what happened since the sample before (since the queue
 * exists, where there is none) and how much it holds now. Take a sample once a CloudWatch minute,
 * as AWS does. As on AWS there is no age of an empty queue, and no number of messages in flight or
 * delayed where there are none: an alarm's expression must fill them in.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
export function queueMetrics(
  before: QueueSample | undefined,
  now: QueueSample,
  timestampMs: number,
): readonly MetricDatum[] {
  const grown = (counter: Counter): number => {
    const difference = now[counter] - (before?.[counter] ?? 0);
    // A counter that fell belongs to a new queue of the same name, counted from 0.
    return difference < 0 ? now[counter] : difference;
  };
  const datum = (
    metricName: string,
    value: number | StatisticSet,
    unit = "Count",
  ): MetricDatum => ({
    namespace: "AWS/SQS",
    metricName,
    dimensions: { QueueName: now.queueName },
    timestampMs,
    value,
    unit,
  });
  const ifAny = (metricName: string, value: number): readonly MetricDatum[] =>
    value > 0 ? [datum(metricName, value)] : [];
  const sent = grown("sent");
  const { oldestAgeSeconds } = now;
  return [
    datum("NumberOfMessagesSent", sent),
    datum("NumberOfMessagesReceived", grown("received")),
    datum("NumberOfMessagesDeleted", grown("deleted")),
    datum("NumberOfEmptyReceives", grown("emptyReceives")),
    datum("ApproximateNumberOfMessagesVisible", now.visible),
    ...ifAny("ApproximateNumberOfMessagesNotVisible", now.notVisible),
    ...ifAny("ApproximateNumberOfMessagesDelayed", now.delayed),
    ...(oldestAgeSeconds === undefined
      ? []
      : [datum("ApproximateAgeOfOldestMessage", oldestAgeSeconds, "Seconds")]),
    ...(sent > 0 ? [datum("SentMessageSize", sizesOf(sent, grown("sentBytes")), "Bytes")] : []),
  ];
}

/** Only the sum is counted, so smallest and largest are told as the average. */
function sizesOf(count: number, sum: number): StatisticSet {
  const average = sum / count;
  return { sum, count, minimum: average, maximum: average, distribution: undefined };
}
