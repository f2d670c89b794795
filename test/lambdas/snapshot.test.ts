import { CloudWatchClient, GetMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient, QueryCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FUNCTION_ENVIRONMENT } from "./function-environment.ts";

const sqs = mockClient(SQSClient);
const cloudWatch = mockClient(CloudWatchClient);
const dynamo = mockClient(DynamoDBClient);
// Powertools writes past `console` otherwise, and the metrics are looked at here.
vi.stubEnv("POWERTOOLS_DEV", "true");
vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
for (const [name, value] of Object.entries(FUNCTION_ENVIRONMENT)) vi.stubEnv(name, value);
const { handler } = await import("../../lambdas/snapshot.ts");

let lines: Record<string, unknown>[] = [];

beforeEach(() => {
  sqs.reset();
  cloudWatch.reset();
  dynamo.reset();
  lines = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => {
    lines.push(JSON.parse(line));
  });
  cloudWatch.on(GetMetricDataCommand).resolves({});
  dynamo.on(ScanCommand).resolves({});
  dynamo.on(QueryCommand).resolves({});
});

afterEach(() => {
  vi.restoreAllMocks();
});

function queuesOf(count: string) {
  sqs.on(GetQueueAttributesCommand).resolves({
    Attributes: { ApproximateNumberOfMessages: count },
  });
}

describe("the snapshot function", () => {
  it("emits every metric with the backlog's name as its one dimension", async () => {
    queuesOf("4");
    const failedAt = Date.now() - 86_400_000;
    dynamo.on(ScanCommand).resolves({
      Items: [
        { id: { S: "r" }, state: { S: "retrying" }, enqueuedAt: { N: String(Date.now() - 9000) } },
        { id: { S: "d" }, state: { S: "dead" }, failedAt: { N: String(failedAt) } },
      ],
    });
    cloudWatch.on(GetMetricDataCommand).resolves({
      MetricDataResults: [
        { Id: "bytes", Values: [100] },
        { Id: "messages", Values: [1] },
      ],
    });
    await handler();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ Backlog: "backlog", Count: 4, Bytes: 400, Letters: 4 });
    expect(lines[0]?.["OldestRetryingAge"]).toBeCloseTo(9, 0);
    expect(lines[0]?.["NearestExpiry"]).toBeCloseTo(13 * 86_400, -1);
    expect(lines[0]?.["_aws"]).toMatchObject({
      CloudWatchMetrics: [
        {
          Namespace: "Backlogorder",
          Dimensions: [["Backlog"]],
          Metrics: expect.arrayContaining([
            { Name: "OldestRetryingAge", Unit: "Seconds" },
            { Name: "Count", Unit: "Count" },
            { Name: "Bytes", Unit: "Bytes" },
            { Name: "Letters", Unit: "Count" },
            { Name: "NearestExpiry", Unit: "Seconds" },
          ]),
        },
      ],
    });
  });

  it("claims no expiry where there are no letters, and no bytes where no size is known", async () => {
    queuesOf("0");
    await handler();
    expect(lines[0]).toMatchObject({ Count: 0, Letters: 0, OldestRetryingAge: 0, Bytes: 0 });
    expect(lines[0]).not.toHaveProperty("NearestExpiry");
    lines = [];
    queuesOf("1");
    await handler();
    expect(lines[0]).not.toHaveProperty("Bytes");
  });

  it("fails where it cannot measure: a missing snapshot raises its own alarm", async () => {
    sqs.on(GetQueueAttributesCommand).rejects(new Error("no such queue"));
    await expect(handler()).rejects.toThrow("no such queue");
    expect(lines).toEqual([]);
  });
});
