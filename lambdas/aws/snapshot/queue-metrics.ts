import {
  type CloudWatchClient,
  GetMetricDataCommand,
  type MetricDataQuery,
  type MetricDataResult,
} from "@aws-sdk/client-cloudwatch";

/** SQS reports once a minute and a quiet queue's metrics may come a quarter of an hour late; what is
 *  older says nothing of now.
 *  https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html */
const LATE_MS = 15 * 60_000;

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;

/** Up to this long a window is read minute by minute. */
const MINUTES_MS = 3 * HOUR_SECONDS * 1000;

/**
 * Newest `ApproximateAgeOfOldestMessage` of each queue in milliseconds, undefined where SQS reported
 * none: an empty queue has none.
 */
export async function readOldestAges(
  client: CloudWatchClient,
  queueUrls: readonly string[],
  nowMs: number,
): Promise<readonly (number | undefined)[]> {
  const queries = queueUrls.map((queueUrl, index) =>
    queryOf(`age${index}`, queueUrl, "ApproximateAgeOfOldestMessage", "Maximum", MINUTE_SECONDS),
  );
  const results = await read(client, queries, nowMs - LATE_MS, nowMs);
  return queries.map(({ Id }) => {
    // Newest first, by ScanBy.
    const seconds = results.find((result) => result.Id === Id)?.Values?.[0];
    return seconds === undefined ? undefined : seconds * 1000;
  });
}

/** Average bytes of a message sent to a queue in a window, weighted by message; undefined where SQS
 *  reported none. A little more than the window is read, for what was sent at its edge. */
export async function readSentSize(
  client: CloudWatchClient,
  queueUrl: string,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
): Promise<number | undefined> {
  const startMs = fromMs - LATE_MS;
  const period = nowMs - startMs <= MINUTES_MS ? MINUTE_SECONDS : HOUR_SECONDS;
  const results = await read(
    client,
    [
      queryOf("bytes", queueUrl, "SentMessageSize", "Sum", period),
      queryOf("messages", queueUrl, "SentMessageSize", "SampleCount", period),
    ],
    // CloudWatch counts periods from the full hour or minute; a start within one loses it.
    Math.floor(startMs / (period * 1000)) * period * 1000,
    nowMs,
  );
  const bytes = sumOf(results, "bytes");
  const messages = sumOf(results, "messages");
  return messages > 0 ? bytes / messages : undefined;
}

function queryOf(
  id: string,
  queueUrl: string,
  metric: string,
  statistic: string,
  period: number,
): MetricDataQuery {
  const queueName = queueUrl.slice(queueUrl.lastIndexOf("/") + 1);
  return {
    Id: id,
    MetricStat: {
      Metric: {
        Namespace: "AWS/SQS",
        MetricName: metric,
        Dimensions: [{ Name: "QueueName", Value: queueName }],
      },
      Stat: statistic,
      Period: period,
    },
  };
}

/** A window has at most a few hundred values a query: one page. */
async function read(
  client: CloudWatchClient,
  queries: readonly MetricDataQuery[],
  startMs: number,
  endMs: number,
): Promise<readonly MetricDataResult[]> {
  const { MetricDataResults = [] } = await client.send(
    new GetMetricDataCommand({
      MetricDataQueries: [...queries],
      StartTime: new Date(startMs),
      EndTime: new Date(endMs),
      ScanBy: "TimestampDescending",
    }),
  );
  return MetricDataResults;
}

function sumOf(results: readonly MetricDataResult[], id: string): number {
  const values = results.find((result) => result.Id === id)?.Values ?? [];
  return values.reduce((sum, value) => sum + value, 0);
}
