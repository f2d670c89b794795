import {
  BatchGetItemCommand,
  DynamoDBClient,
  QueryCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, expect, test, vi } from "vitest";
import { FUNCTION_ENVIRONMENT, LETTER_QUEUE_URL } from "./function-environment.ts";

const sqs = mockClient(SQSClient);
const dynamo = mockClient(DynamoDBClient);
for (const [name, value] of Object.entries(FUNCTION_ENVIRONMENT)) vi.stubEnv(name, value);
vi.stubEnv("REPLAY_FUNCTION_ARN", "arn:aws:lambda:us-east-1:123456789012:function:replay");
const { handler } = await import("../../lambdas/widget.ts");

beforeEach(() => {
  sqs.reset();
  dynamo.reset();
});

test("shows the ledger's open records and the count of letters, with a button that calls replay", async () => {
  sqs
    .on(GetQueueAttributesCommand, { QueueUrl: LETTER_QUEUE_URL })
    .resolves({ Attributes: { ApproximateNumberOfMessages: "2" } });
  dynamo.on(ScanCommand, { TableName: "ledger", IndexName: "open" }).resolves({
    Items: [
      { id: { S: "held" }, key: { S: "player-1" }, state: { S: "retrying" } },
      { id: { S: "dead" }, key: { S: "player-2" }, state: { S: "dead" }, reason: { S: "gone" } },
    ],
  });
  dynamo.on(QueryCommand).resolves({ Items: [] });
  const page = await handler({});
  expect(page).toContain("<td>held</td>");
  expect(page).toContain("<td>1</td><td>1</td><td>gone</td>");
  expect(page).toContain("<p>1 more in the queue");
  expect(page).toContain('endpoint="arn:aws:lambda:us-east-1:123456789012:function:replay"');
});

test("takes the discarded letters out of those in the queue", async () => {
  const id = { S: "given-up" };
  sqs
    .on(GetQueueAttributesCommand, { QueueUrl: LETTER_QUEUE_URL })
    .resolves({ Attributes: { ApproximateNumberOfMessages: "1" } });
  dynamo.on(ScanCommand).resolves({ Items: [] });
  dynamo.on(QueryCommand, { TableName: "ledger" }).resolves({
    Items: [{ id, kind: { S: "discarded" }, failedAt: { N: String(Date.now()) } }],
  });
  dynamo.on(BatchGetItemCommand).resolves({
    Responses: { ledger: [{ id, state: { S: "dead" }, withheld: { S: "discarded" } }] },
  });
  const page = await handler({});
  expect(page).toContain("<p>None.</p><p>1 discarded");
  expect(page).not.toContain("more in the queue");
});

test("describes itself to CloudWatch without reading anything", async () => {
  expect(await handler({ describe: true })).toMatch(/^Shows which records/);
  expect([...sqs.calls(), ...dynamo.calls()]).toEqual([]);
});

test("fails where the ledger cannot be read, rather than show that nobody is blocked", async () => {
  sqs.on(GetQueueAttributesCommand).resolves({});
  dynamo.on(QueryCommand).resolves({ Items: [] });
  dynamo.on(ScanCommand).rejects(new Error("no ledger"));
  await expect(handler({})).rejects.toThrow("no ledger");
});
