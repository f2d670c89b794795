import { CloudWatchClient, GetMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import {
  BatchGetItemCommand,
  DynamoDBClient,
  QueryCommand,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import {
  GetEventSourceMappingCommand,
  LambdaClient,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { callWatcher, type ServiceCall } from "../../../local/cloud/service-calls.ts";
import { type LocalServer, listen } from "../../../local/http/server.ts";

const calls: ServiceCall[] = [];

let server: LocalServer;

beforeAll(async () => {
  const refusal = { status: 400, contentType: "application/json", body: "{}" };
  server = await listen(async () => refusal, {
    onRequest: callWatcher((call) => calls.push(call)),
  });
});

beforeEach(() => {
  calls.length = 0;
});

afterAll(() => server.close());

const client = () => ({
  ...{ region: "eu-west-1", endpoint: server.url, maxAttempts: 1 },
  credentials: { accessKeyId: "game-consumer", secretAccessKey: "any" },
});

/** Who asked, and for what, once the server has refused it. */
async function asked(request: Promise<unknown>): Promise<readonly string[]> {
  await expect(request).rejects.toThrow();
  expect(new Set(calls.map(({ caller }) => caller))).toEqual(new Set(["game-consumer"]));
  return calls.map(({ action, resource }) => `${action} ${resource}`);
}

it("takes a batch of messages for the right that its one call needs, on the queue of the URL", async () => {
  const Entries = [{ Id: "0", MessageBody: "coins" }];
  const QueueUrl = `${server.url}/000000000000/source.fifo`;
  const batch = new SQSClient(client()).send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  expect(await asked(batch)).toEqual([
    "sqs:SendMessage arn:aws:sqs:eu-west-1:000000000000:source.fifo",
  ]);
});

it("takes a transaction for the right of each of its items", async () => {
  const Key = { pk: { S: "1" } };
  const [TableName, ConditionExpression] = ["wallet", "attribute_exists(pk)"];
  const transaction = new DynamoDBClient(client()).send(
    new TransactWriteItemsCommand({
      TransactItems: [
        { Update: { TableName: "ledger", Key, UpdateExpression: "REMOVE x" } },
        { Put: { TableName, Item: Key } },
        { Delete: { TableName, Key } },
        { ConditionCheck: { TableName, Key, ConditionExpression } },
      ],
    }),
  );
  expect(await asked(transaction)).toEqual([
    `dynamodb:UpdateItem ${TABLE}ledger`,
    `dynamodb:PutItem ${TABLE}wallet`,
    `dynamodb:DeleteItem ${TABLE}wallet`,
    `dynamodb:ConditionCheckItem ${TABLE}wallet`,
  ]);
});

it("takes a batch of items for the right on each of its tables", async () => {
  const Keys = [{ pk: { S: "1" } }];
  const batch = new BatchGetItemCommand({
    RequestItems: { ledger: { Keys }, wallet: { Keys } },
  });
  expect(await asked(new DynamoDBClient(client()).send(batch))).toEqual([
    `dynamodb:BatchGetItem ${TABLE}ledger`,
    `dynamodb:BatchGetItem ${TABLE}wallet`,
  ]);
});

it("names the index that is asked, as it needs a right of its own", async () => {
  const query = new QueryCommand({ TableName: "ledger", IndexName: "open" });
  expect(await asked(new DynamoDBClient(client()).send(query))).toEqual([
    `dynamodb:Query ${TABLE}ledger/index/open`,
  ]);
});

it("calls CloudWatch as policies do, which know no resource for its metrics", async () => {
  const metrics = new GetMetricDataCommand({
    ...{ StartTime: new Date(0), EndTime: new Date(1000), MetricDataQueries: [] },
  });
  expect(await asked(new CloudWatchClient(client()).send(metrics))).toEqual([
    "cloudwatch:GetMetricData *",
  ]);
});

it("knows the turning of a mapping, and shows any other request by its path", async () => {
  const lambda = new LambdaClient(client());
  await asked(lambda.send(new UpdateEventSourceMappingCommand({ UUID: "4f", Enabled: false })));
  expect(await asked(lambda.send(new GetEventSourceMappingCommand({ UUID: "4f" })))).toEqual([
    "lambda:UpdateEventSourceMapping arn:aws:lambda:eu-west-1:000000000000:event-source-mapping:4f",
    "lambda:GET /2015-03-31/event-source-mappings/4f *",
  ]);
});

it("passes over a request that nobody signed, and what is no JSON", async () => {
  await fetch(server.url);
  expect(calls).toEqual([]);
  const signature = "AWS4-HMAC-SHA256 Credential=ann/20260102/eu-west-1/sqs/aws4_request";
  const headers = { authorization: signature, "x-amz-target": "AmazonSQS.SendMessage" };
  const { status } = await fetch(server.url, { method: "POST", headers, body: "{" });
  expect(status).toBe(400);
  expect(calls).toEqual([{ caller: "ann", action: "sqs:SendMessage", resource: "*" }]);
});

const TABLE = "arn:aws:dynamodb:eu-west-1:000000000000:table/";
