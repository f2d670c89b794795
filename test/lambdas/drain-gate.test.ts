import { CloudWatchClient, GetMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { handler } from "../../lambdas/drain-gate.ts";
import { type LocalServer, listen } from "../../local/http/server.ts";

const cloudWatch = mockClient(CloudWatchClient);
const answers: Readonly<Record<string, string>>[] = [];
let cloudFormation: LocalServer;

beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  cloudFormation = await listen(async (_request, body) => {
    answers.push(JSON.parse(body.toString()));
    return { status: 200, contentType: "text/plain", body: "" };
  });
});

afterEach(async () => {
  await cloudFormation.close();
  cloudWatch.reset();
  answers.length = 0;
});

function request(RequestType: string, Check: string): Parameters<typeof handler>[0] {
  return {
    RequestType,
    ResponseURL: `${cloudFormation.url}/answer`,
    StackId: "stack",
    RequestId: "1",
    LogicalResourceId: "Drained",
    ResourceProperties: { After: "live", Check },
  };
}

function measured(counts: readonly number[], letters: readonly number[]): void {
  cloudWatch.on(GetMetricDataCommand).resolves({
    MetricDataResults: [
      { Id: "counts", Values: [...counts] },
      { Id: "letters", Values: [...letters] },
    ],
  });
}

test("lets a deploy pass once the generation before is drained, by its own snapshots", async () => {
  measured([0, 0], [0]);
  await handler(request("Update", "true"));
  expect(answers).toMatchObject([
    { Status: "SUCCESS", PhysicalResourceId: "backlogorder-drained-Drained" },
  ]);
  const [call] = cloudWatch.commandCalls(GetMetricDataCommand);
  expect(call?.args[0].input.MetricDataQueries?.map(({ MetricStat }) => MetricStat)).toMatchObject([
    { Metric: { MetricName: "Count", Dimensions: [{ Name: "Backlog", Value: "live" }] } },
    { Metric: { MetricName: "Letters", Dimensions: [{ Name: "Backlog", Value: "live" }] } },
  ]);
});

test.each(["Create", "Update"])(
  "fails a %s while records wait, with their number",
  async (type) => {
    measured([12, 0], [0]);
    await handler(request(type, "true"));
    expect(answers[0]).toMatchObject({
      Status: "FAILED",
      Reason: expect.stringContaining("live to be drained, got 12 records"),
    });
  },
);

test("fails where CloudWatch cannot be asked, with its own words", async () => {
  cloudWatch.on(GetMetricDataCommand).rejects(new Error("no metrics today"));
  await handler(request("Update", "true"));
  expect(answers[0]).toMatchObject({
    Status: "FAILED",
    Reason: expect.stringContaining("no metrics today"),
  });
});

test.each([
  { type: "Create", check: "false", why: "the mapping stays off" },
  { type: "Delete", check: "true", why: "the stack goes" },
])("asks nothing when $why", async ({ type, check }) => {
  await handler(request(type, check));
  expect(answers[0]?.["Status"]).toBe("SUCCESS");
  expect(cloudWatch.calls()).toEqual([]);
});
