import type { IncomingHttpHeaders } from "node:http";
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  ProvisionedThroughputExceededException,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { handler } from "../../lambdas/partition-lock.ts";
import { type LocalServer, listen } from "../../local/http/server.ts";

type Answered = {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, string>>;
};

const dynamo = mockClient(DynamoDBClient);
const refusals: number[] = [];
const answers: Answered[] = [];
const logged: string[] = [];
let cloudFormation: LocalServer;

beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation((line: string) => void logged.push(line));
  cloudFormation = await listen(async ({ method, headers }, body) => {
    answers.push({ method, headers, body: JSON.parse(body.toString()) });
    return { status: refusals.shift() ?? 200, contentType: "text/plain", body: "answer" };
  });
});

afterEach(async () => {
  await cloudFormation.close();
  dynamo.reset();
  answers.length = 0;
  refusals.length = 0;
  logged.length = 0;
});

test("the first deploy stores the count if there is none, or the same", async () => {
  dynamo.on(UpdateItemCommand).resolves({});
  await handler(requestOf({ RequestType: "Create" }));
  expect(dynamo.commandCalls(UpdateItemCommand)[0]?.args[0].input).toEqual({
    TableName: "ledger",
    Key: { pk: { S: "lock" }, sk: { S: "partitions" } },
    UpdateExpression: "SET #partitions = :partitions, backlog = :backlog",
    ConditionExpression:
      "(attribute_not_exists(#partitions) OR #partitions = :partitions) AND (attribute_not_exists(backlog) OR backlog = :backlog)",
    ExpressionAttributeNames: { "#partitions": "partitions" },
    ExpressionAttributeValues: { ":partitions": { N: "64" }, ":backlog": { S: "raids" } },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  expect(answers.map(({ body }) => body)).toEqual([
    {
      Status: "SUCCESS",
      Reason: "Done",
      PhysicalResourceId: "backlogorder-partitions-Lock",
      StackId: "arn:aws:cloudformation:us-east-1:123456789012:stack/Backlogorder-raids/1",
      RequestId: "request-1",
      LogicalResourceId: "Lock",
    },
  ]);
});

test("the answer is put without a content type, as its address was signed", async () => {
  dynamo.on(UpdateItemCommand).resolves({});
  await handler(requestOf({}));
  expect(answers[0]?.method).toBe("PUT");
  expect(answers[0]?.headers["content-type"]).toBe("");
  expect(Number(answers[0]?.headers["content-length"])).toBeGreaterThan(0);
});

test("another count fails with both numbers and the procedure", async () => {
  dynamo.on(UpdateItemCommand).rejects(
    new ConditionalCheckFailedException({
      message: "The conditional request failed",
      $metadata: {},
      Item: { partitions: { N: "64" } },
    }),
  );
  await handler(requestOf({ RequestType: "Update", partitions: "128" }));
  expect(answers[0]?.body).toMatchObject({
    Status: "FAILED",
    Reason: expect.stringMatching(
      /Expected 64 partitions, .* got 128.*Nothing was changed.*docs\/repartition\.md/,
    ),
  });
});

test("another name fails with both names", async () => {
  dynamo.on(UpdateItemCommand).rejects(
    new ConditionalCheckFailedException({
      message: "The conditional request failed",
      $metadata: {},
      Item: { partitions: { N: "64" }, backlog: { S: "guilds" } },
    }),
  );
  await handler(requestOf({ RequestType: "Update" }));
  expect(answers[0]?.body).toMatchObject({
    Status: "FAILED",
    Reason: expect.stringMatching(
      /name to be guilds, .* got raids\..*Nothing was changed: deploy with name = guilds/,
    ),
  });
});

test("an update keeps the resource's id, so that CloudFormation deletes nothing", async () => {
  dynamo.on(UpdateItemCommand).resolves({});
  await handler(requestOf({ RequestType: "Update", PhysicalResourceId: "as-it-was" }));
  expect(answers[0]?.body).toMatchObject({ Status: "SUCCESS", PhysicalResourceId: "as-it-was" });
});

test("a delete succeeds and leaves the lock where it is", async () => {
  await handler(requestOf({ RequestType: "Delete", PhysicalResourceId: "as-it-was" }));
  expect(answers[0]?.body).toMatchObject({ Status: "SUCCESS", PhysicalResourceId: "as-it-was" });
  expect(dynamo.calls()).toHaveLength(0);
});

test.each([
  { why: "no number", partitions: "many" },
  { why: "no partition", partitions: "0" },
  { why: "half a partition", partitions: "1.5" },
  { why: "nothing", partitions: "" },
])("refuses $why for a count and stores nothing", async ({ partitions }) => {
  await handler(requestOf({ partitions }));
  expect(answers[0]?.body["Status"]).toBe("FAILED");
  expect(answers[0]?.body["Reason"]).toContain(`"Partitions":"${partitions}"`);
  expect(dynamo.calls()).toHaveLength(0);
});

test("a request without properties is answered, too", async () => {
  const { ResourceProperties: _, ...request } = requestOf({});
  await handler(request as Parameters<typeof handler>[0]);
  expect(answers[0]?.body["Status"]).toBe("FAILED");
});

test("a ledger that cannot be reached fails the deploy at once, with its own words", async () => {
  dynamo
    .on(UpdateItemCommand)
    .rejects(new ProvisionedThroughputExceededException({ message: "slow down", $metadata: {} }));
  await handler(requestOf({}));
  expect(answers[0]?.body).toMatchObject({
    Status: "FAILED",
    Reason: expect.stringContaining("ProvisionedThroughputExceededException: slow down"),
  });
});

test("an error without end is cut to what CloudFormation takes", async () => {
  dynamo.on(UpdateItemCommand).rejects(new Error("\u0007".repeat(10_000)));
  await handler(requestOf({}));
  expect(Buffer.byteLength(JSON.stringify(answers[0]?.body))).toBeLessThanOrEqual(4096);
});

test("the log tells what was asked and keeps the pre-signed address to itself", async () => {
  dynamo.on(UpdateItemCommand).resolves({});
  await handler(requestOf({}));
  expect(logged).toHaveLength(1);
  expect(JSON.parse(logged[0] ?? "")).toMatchObject({
    request: "Create",
    Partitions: "64",
    outcome: { status: "SUCCESS" },
  });
  expect(logged[0]).not.toContain("signature");
});

test("an answer that is refused is given again", async () => {
  dynamo.on(UpdateItemCommand).resolves({});
  refusals.push(503);
  await handler(requestOf({}));
  expect(answers.map(({ body }) => body["Status"])).toEqual(["SUCCESS", "SUCCESS"]);
});

test("after three refusals the invocation fails, so that Lambda repeats it", async () => {
  dynamo.on(UpdateItemCommand).resolves({});
  refusals.push(503, 403, 403);
  await expect(handler(requestOf({}))).rejects.toThrow("HTTP 403: answer");
  expect(answers).toHaveLength(3);
});

function requestOf({
  partitions = "64",
  ...given
}: {
  readonly RequestType?: string;
  readonly PhysicalResourceId?: string;
  readonly partitions?: string;
}): Parameters<typeof handler>[0] {
  return {
    RequestType: "Create",
    ResponseURL: `${cloudFormation.url}/answer?signature=1`,
    StackId: "arn:aws:cloudformation:us-east-1:123456789012:stack/Backlogorder-raids/1",
    RequestId: "request-1",
    LogicalResourceId: "Lock",
    ResourceProperties: {
      ...{ Partitions: partitions, Backlog: "raids" },
      ...{ TableName: "ledger", ServiceToken: "arn" },
    },
    ...given,
  };
}
