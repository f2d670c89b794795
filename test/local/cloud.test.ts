import { CloudWatchClient, GetMetricStatisticsCommand } from "@aws-sdk/client-cloudwatch";
import { CreateQueueCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { expect, test, vi } from "vitest";
import type { Cloud } from "../../local/cloud.ts";
import { startCloud } from "../../local/cloud.ts";
import { localCloud } from "./deploy/local-cloud.ts";
import { functionOf } from "./lambda/function-bundle.ts";

vi.setConfig({ testTimeout: 30_000 });

const CREDENTIALS = { accessKeyId: "test", secretAccessKey: "test" };

/** Sum of a metric from an hour ago on. */
async function sumOf(cloud: Cloud, namespace: string, metricName: string, dimension: string) {
  const [Name, Value] = dimension.split("=");
  const client = new CloudWatchClient({
    region: cloud.region,
    endpoint: cloud.cloudwatch.url,
    credentials: CREDENTIALS,
  });
  const { Datapoints = [] } = await client.send(
    new GetMetricStatisticsCommand({
      Namespace: namespace,
      MetricName: metricName,
      Dimensions: [{ Name, Value }],
      StartTime: new Date(Date.now() - 3_600_000),
      EndTime: new Date(Date.now() + 60_000),
      Period: 60,
      Statistics: ["Sum"],
    }),
  );
  client.destroy();
  return Datapoints.reduce((sum, { Sum = 0 }) => sum + Sum, 0);
}

test("an SDK client finds the services by the cloud's environment alone", async () => {
  const cloud = await localCloud();
  for (const [name, value] of Object.entries(cloud.environment)) vi.stubEnv(name, value);
  const client = new STSClient();
  const { Account } = await client.send(new GetCallerIdentityCommand());
  expect(Account).toBe(cloud.accountId);
  client.destroy();
  vi.unstubAllEnvs();
});

test("queues report to CloudWatch once a minute of its own", async () => {
  const cloud = await localCloud({ divisor: 600 });
  const sqs = new SQSClient({
    region: cloud.region,
    endpoint: cloud.sqs.url,
    credentials: CREDENTIALS,
  });
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: "plain" }));
  for (const MessageBody of ["a", "b"]) {
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  }
  await expect
    .poll(() => sumOf(cloud, "AWS/SQS", "NumberOfMessagesSent", "QueueName=plain"))
    .toBe(2);
  sqs.destroy();
});

test("invocations and log lines in embedded metric format become metrics", async () => {
  const lines: string[] = [];
  const cloud = await localCloud({ onLine: ({ text }) => void lines.push(text) });
  const metric = {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        { Namespace: "Game", Dimensions: [["Realm"]], Metrics: [{ Name: "Coins" }] },
      ],
    },
    Realm: "north",
    Coins: 7,
  };
  const text = JSON.stringify(metric);
  cloud.lambda.createFunction(functionOf(`console.log(${JSON.stringify(text)});`));
  await cloud.lambda.invoke("game", {});
  await expect.poll(() => lines).toEqual([text]);
  expect(await sumOf(cloud, "Game", "Coins", "Realm=north")).toBe(7);
  expect(await sumOf(cloud, "AWS/Lambda", "Invocations", "FunctionName=game")).toBe(1);
});

test.each([
  {
    options: { divisor: 0.5 },
    error: "Expected `divisor` to be a number from 1 and up, got `0.5`",
  },
  { options: { divisor: Number.NaN }, error: "got `NaN`" },
  { options: { maximumConcurrency: 1 }, error: "a whole number from 2 and up, got `1`" },
])("refuses $options", async ({ options, error }) => {
  await expect(startCloud(options)).rejects.toThrow(error);
});

test("a part that cannot be closed is told, and the others are closed", async () => {
  const cloud = await startCloud();
  // Closing a server twice is an error of that server.
  await cloud.sqs.close();
  await expect(cloud.close()).rejects.toThrow("Could not end cleanly");
  const urls = [cloud.cloudwatch, cloud.ssm, cloud.sts, cloud.dynamodb, cloud.lambda];
  const answers = await Promise.allSettled(urls.map(({ url }) => fetch(url)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => "rejected"));
});
