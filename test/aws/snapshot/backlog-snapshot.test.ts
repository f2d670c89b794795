import { CloudWatchClient, GetMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import { readBacklog } from "../../../lambdas/aws/snapshot/backlog-snapshot.ts";

const NOW = Date.parse("2023-11-14T22:13:20Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const sqs = mockClient(SQSClient);
const cloudWatch = mockClient(CloudWatchClient);
const dynamo = mockClient(DynamoDBClient);

const sources = {
  sqs: new SQSClient({}),
  cloudWatch: new CloudWatchClient({}),
  ledger: { client: new DynamoDBClient({}), table: "ledger", nowMs: () => NOW },
  sourceUrl: "https://sqs.us-east-1.amazonaws.com/123456789012/source.fifo",
  letterQueueUrl: "https://sqs.us-east-1.amazonaws.com/123456789012/letters.fifo",
  settings: { letterRetentionSeconds: 1_209_600 },
};

beforeEach(() => {
  sqs.reset();
  cloudWatch.reset();
  dynamo.reset();
  dynamo.on(ScanCommand).resolves({ Items: [] });
});

function queues(source: number, letters: number) {
  const sizes = (count: number) => ({
    Attributes: {
      ApproximateNumberOfMessages: String(count),
      ApproximateNumberOfMessagesNotVisible: "0",
      ApproximateNumberOfMessagesDelayed: "0",
    },
  });
  sqs
    .on(GetQueueAttributesCommand, { QueueUrl: sources.sourceUrl })
    .resolves(sizes(source))
    .on(GetQueueAttributesCommand, { QueueUrl: sources.letterQueueUrl })
    .resolves(sizes(letters));
}

function metrics(values: Readonly<Record<string, readonly number[]>>) {
  cloudWatch.on(GetMetricDataCommand).resolves({
    MetricDataResults: Object.entries(values).map(([Id, Values]) => ({ Id, Values: [...Values] })),
  });
}

const requests = () =>
  cloudWatch.commandCalls(GetMetricDataCommand).map((call) => call.args[0].input);

describe("reading a backlog", () => {
  it("puts queues, SQS's metrics and the ledger together", async () => {
    queues(10, 2);
    metrics({ age0: [120, 60], age1: [86_400], bytes: [3000, 1000], messages: [1, 3] });
    dynamo.on(ScanCommand).resolves({
      Items: [
        {
          id: { S: "a" },
          state: { S: "retrying" },
          enqueuedAt: { N: String(NOW - 5 * MINUTE) },
          partition: { N: "3" },
        },
      ],
    });
    await expect(readBacklog(sources)).resolves.toMatchObject({
      count: 10,
      bytes: 10_000,
      oldestAgeMs: 5 * MINUTE,
      oldestRetryingAgeMs: 5 * MINUTE,
      letters: 2,
      nearestExpiryMs: 13 * 24 * HOUR,
      blocked: [{ id: "a", partition: 3 }],
    });
  });

  it("asks for the newest ages of both queues by name", async () => {
    queues(0, 0);
    metrics({});
    await readBacklog(sources);
    const [request] = requests();
    expect(request).toMatchObject({ ScanBy: "TimestampDescending", EndTime: new Date(NOW) });
    expect(request?.MetricDataQueries?.map(({ MetricStat }) => MetricStat)).toEqual(
      ["source.fifo", "letters.fifo"].map((Value) => ({
        Metric: {
          Namespace: "AWS/SQS",
          MetricName: "ApproximateAgeOfOldestMessage",
          Dimensions: [{ Name: "QueueName", Value }],
        },
        Stat: "Maximum",
        Period: 60,
      })),
    );
  });

  it("asks for no sizes while the queue is empty", async () => {
    queues(0, 0);
    metrics({ age0: [500] });
    await expect(readBacklog(sources)).resolves.toMatchObject({
      count: 0,
      bytes: 0,
      oldestAgeMs: 0,
    });
    expect(requests()).toHaveLength(1);
  });

  it.each([
    { ageSeconds: 600, start: "2023-11-14T21:48:00Z", period: 60, why: "minute by minute" },
    {
      ageSeconds: 36_000,
      start: "2023-11-14T11:00:00Z",
      period: 3600,
      why: "a long one by the hour",
    },
  ])("takes sizes over the backlog's window: $why", async ({ ageSeconds, start, period }) => {
    queues(1, 0);
    metrics({ age0: [ageSeconds], bytes: [10], messages: [1] });
    await readBacklog(sources);
    const request = requests()[1];
    expect(request?.StartTime).toEqual(new Date(start));
    expect(
      request?.MetricDataQueries?.map(({ Id, MetricStat }) => [
        Id,
        MetricStat?.Metric?.MetricName,
        MetricStat?.Stat,
        MetricStat?.Period,
      ]),
    ).toEqual([
      ["bytes", "SentMessageSize", "Sum", period],
      ["messages", "SentMessageSize", "SampleCount", period],
    ]);
  });

  it("throws where one part is missing, rather than measure a smaller backlog", async () => {
    queues(1, 0);
    metrics({});
    dynamo.on(ScanCommand).rejects(new Error("throttled"));
    await expect(readBacklog(sources)).rejects.toThrow("throttled");
  });
});
