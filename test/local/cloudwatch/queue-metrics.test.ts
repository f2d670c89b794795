import { describe, expect, it } from "vitest";
import { type QueueSample, queueMetrics } from "../../../local/cloudwatch/queue-metrics.ts";

const TIMESTAMP_MS = 1_800_000_000_000;

function sampleOf(fields: Partial<QueueSample>): QueueSample {
  const counters = { sent: 0, sentBytes: 0, received: 0, deleted: 0, emptyReceives: 0 };
  const gauges = { visible: 0, notVisible: 0, delayed: 0, oldestAgeSeconds: undefined };
  return { queueName: "wallet.fifo", ...counters, ...gauges, ...fields };
}

function valuesOf(before: QueueSample | undefined, now: QueueSample) {
  const data = queueMetrics(before, now, TIMESTAMP_MS);
  return Object.fromEntries(data.map(({ metricName, value }) => [metricName, value]));
}

describe("queue metrics", () => {
  it("reports what happened since the sample before, and what the queue holds now", () => {
    const before = sampleOf({
      sent: 10,
      sentBytes: 1000,
      received: 5,
      deleted: 5,
      emptyReceives: 1,
    });
    const counters = { sent: 14, sentBytes: 1800, received: 8, deleted: 6, emptyReceives: 3 };
    const gauges = { visible: 3, notVisible: 2, delayed: 1, oldestAgeSeconds: 42 };
    expect(valuesOf(before, sampleOf({ ...counters, ...gauges }))).toEqual({
      NumberOfMessagesSent: 4,
      NumberOfMessagesReceived: 3,
      NumberOfMessagesDeleted: 1,
      NumberOfEmptyReceives: 2,
      ApproximateNumberOfMessagesVisible: 3,
      ApproximateNumberOfMessagesNotVisible: 2,
      ApproximateNumberOfMessagesDelayed: 1,
      ApproximateAgeOfOldestMessage: 42,
      SentMessageSize: { sum: 800, count: 4, minimum: 200, maximum: 200, distribution: undefined },
    });
  });

  it("says of an idle, empty queue what SQS says, and no age, nothing in flight, no size", () => {
    const sample = sampleOf({ sent: 10, sentBytes: 1000, received: 10, deleted: 10 });
    expect(valuesOf(sample, sample)).toEqual({
      NumberOfMessagesSent: 0,
      NumberOfMessagesReceived: 0,
      NumberOfMessagesDeleted: 0,
      NumberOfEmptyReceives: 0,
      ApproximateNumberOfMessagesVisible: 0,
    });
  });

  it("counts from the start of the queue where there is no sample before, or a longer one", () => {
    const now = sampleOf({ sent: 2, sentBytes: 60 });
    expect(valuesOf(undefined, now)["NumberOfMessagesSent"]).toBe(2);
    expect(valuesOf(sampleOf({ sent: 50 }), now)["NumberOfMessagesSent"]).toBe(2);
  });

  it("names the queue in the one dimension that AWS uses", () => {
    for (const datum of queueMetrics(undefined, sampleOf({}), TIMESTAMP_MS)) {
      expect(datum).toMatchObject({
        namespace: "AWS/SQS",
        dimensions: { QueueName: "wallet.fifo" },
        timestampMs: TIMESTAMP_MS,
      });
    }
  });
});
