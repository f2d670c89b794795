import { CloudWatchClient, GetMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import {
  BatchGetItemCommand,
  DynamoDBClient,
  QueryCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
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

  it("tells of a whole retention where there are no letters, so that silence says that it is blind", async () => {
    queuesOf("0");
    await handler();
    expect(lines[0]).toMatchObject({ Count: 0, Letters: 0, OldestRetryingAge: 0, Bytes: 0 });
    expect(lines[0]).toMatchObject({ NearestExpiry: 14 * 86_400, Discarded: 0 });
  });

  it("claims no expiry where no letter's age is known, and no bytes where no size is", async () => {
    queuesOf("1");
    await handler();
    expect(lines[0]).toMatchObject({ Letters: 1 });
    expect(lines[0]).not.toHaveProperty("NearestExpiry");
    expect(lines[0]).not.toHaveProperty("Bytes");
  });

  it("looks up no record whose discarded letter SQS has surely deleted: each look costs a read", async () => {
    queuesOf("1");
    const daysAgo = (days: number) => ({ N: String(Date.now() - days * 86_400_000) });
    dynamo.on(QueryCommand).resolves({
      Items: [
        { id: { S: "kept" }, failedAt: daysAgo(13), expiresAt: daysAgo(-1) },
        { id: { S: "gone" }, failedAt: daysAgo(15), expiresAt: daysAgo(-1) },
      ],
    });
    dynamo.on(BatchGetItemCommand).resolves({});
    await handler();
    const keys = dynamo
      .commandCalls(BatchGetItemCommand)
      .flatMap((call) => call.args[0].input.RequestItems?.["ledger"]?.Keys ?? []);
    expect(keys.map(({ pk }) => pk)).toEqual([{ S: "record#kept" }]);
  });

  it("fails where it cannot measure: a missing snapshot raises its own alarm", async () => {
    sqs.on(GetQueueAttributesCommand).rejects(new Error("no such queue"));
    await expect(handler()).rejects.toThrow("no such queue");
    expect(lines).toEqual([]);
  });
});
