import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { expect, test, vi } from "vitest";
import { type Deployed, deploy } from "../../../local/deploy/deploy.ts";
import type { FunctionLine } from "../../../local/lambda/server.ts";
import { assetsOf, localCloud } from "./local-cloud.ts";

vi.setConfig({ testTimeout: 30_000 });

const CREDENTIALS = { accessKeyId: "test", secretAccessKey: "test" };

type Resources = Readonly<Record<string, object>>;
type Given = {
  readonly sources?: Readonly<Record<string, string>>;
  readonly cloud?: Parameters<typeof localCloud>[0];
  readonly outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
};

async function deployed(Resources: Resources, { sources = {}, cloud, outputs = {} }: Given = {}) {
  const running = await localCloud(cloud);
  const stack = await deploy({
    template: { Resources, Outputs: outputs },
    assetsDirectory: assetsOf(sources),
    stackName: "Game",
    cloud: running,
  });
  return { cloud: running, stack };
}

function functionOf(name: string, more: object = {}): object {
  const Properties = { Code: { S3Key: `${name}.zip` }, Handler: "index.handler", ...more };
  return { Type: "AWS::Lambda::Function", Properties };
}

function custom(properties: object = {}): Resources {
  const ServiceToken = { "Fn::GetAtt": ["Maker", "Arn"] };
  return {
    Maker: functionOf("maker", { Timeout: 20 }),
    Made: { Type: "Custom::Made", Properties: { ServiceToken, ...properties } },
  };
}

/** Source of a function that answers with `answer`, an expression over its `event`. */
const answering = (answer: string): string => `
  export async function handler(event) {
    const { StackId, RequestId, LogicalResourceId } = event;
    const body = JSON.stringify({ StackId, RequestId, LogicalResourceId, ...${answer} });
    await fetch(event.ResponseURL, { method: "PUT", body });
  }`;

const textOf = ({ outputs }: Deployed, name: string): unknown => JSON.parse(outputs[name] ?? "");

test("gives names and ARNs in the account and region of the cloud", async () => {
  const { stack } = await deployed(
    {
      Topic: { Type: "AWS::SNS::Topic" },
      Role: { Type: "AWS::IAM::Role", Properties: { RoleName: "game" } },
      Log: { Type: "AWS::Logs::LogGroup", Properties: { LogGroupName: "/game" } },
      Alarm: {
        Type: "AWS::CloudWatch::Alarm",
        Properties: {
          AlarmName: "age",
          Namespace: "AWS/SQS",
          MetricName: "ApproximateAgeOfOldestMessage",
          Period: 60,
          Statistic: "Maximum",
          EvaluationPeriods: 1,
          Threshold: 1,
          ComparisonOperator: "GreaterThanOrEqualToThreshold",
          AlarmActions: [{ Ref: "Topic" }],
        },
      },
    },
    {
      outputs: {
        Topic: { Value: { Ref: "Topic" } },
        Role: { Value: { "Fn::GetAtt": ["Role", "Arn"] } },
        Log: { Value: { "Fn::GetAtt": ["Log", "Arn"] } },
        Alarm: { Value: { "Fn::GetAtt": ["Alarm", "Arn"] } },
      },
    },
  );
  expect(stack.outputs).toEqual({
    Topic: expect.stringMatching(/^arn:aws:sns:us-east-1:0{12}:Game-Topic-[A-Z0-9]{12}$/),
    Role: "arn:aws:iam::000000000000:role/game",
    Log: "arn:aws:logs:us-east-1:000000000000:log-group:/game:*",
    Alarm: "arn:aws:cloudwatch:us-east-1:000000000000:alarm:age",
  });
  expect(stack.physicalIds.get("Alarm")).toBe("age");
});

test("an unknown type of resource is named before anything is created", async () => {
  const cloud = await localCloud();
  const Resources = {
    Made: { Type: "AWS::SQS::Queue" },
    Bucket: { Type: "AWS::S3::Bucket" },
  };
  const options = { assetsDirectory: assetsOf({}), stackName: "Game", cloud };
  await expect(deploy({ ...options, template: { Resources } })).rejects.toThrow(
    "Bucket (AWS::S3::Bucket): Expected a type of resource that is served here",
  );
  expect(cloud.sqs.sample()).toEqual([]);
});

test("a resource that cannot be created is named, with the reason", async () => {
  const Properties = { VisibilityTimeout: 50_000 };
  await expect(deployed({ Queue: { Type: "AWS::SQS::Queue", Properties } })).rejects.toThrow(
    "Queue (AWS::SQS::Queue): Invalid value for the parameter VisibilityTimeout",
  );
});

test("a name or an attribute that is not known is an error at the resource that uses it", async () => {
  const named = (Value: unknown): Resources => ({
    Role: { Type: "AWS::IAM::Role" },
    It: { Type: "AWS::SSM::Parameter", Properties: { Type: "String", Value } },
  });
  await expect(deployed(named({ Ref: "Nothing" }))).rejects.toThrow(/^It .*got Nothing/);
  await expect(deployed(named({ "Fn::GetAtt": ["Role", "Nothing"] }))).rejects.toThrow(
    /^It .*attribute of Role \(AWS::IAM::Role\).*got Nothing. Known: Arn/,
  );
});

test("a table of one region gets its keys, index and protection", async () => {
  const { cloud, stack } = await deployed({
    Table: {
      Type: "AWS::DynamoDB::Table",
      Properties: {
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
        KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
        DeletionProtectionEnabled: true,
      },
    },
  });
  const client = new DynamoDBClient({
    region: cloud.region,
    endpoint: cloud.dynamodb.url,
    credentials: CREDENTIALS,
  });
  const TableName = stack.physicalIds.get("Table");
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  expect(Table).toMatchObject({
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    DeletionProtectionEnabled: true,
  });
  client.destroy();
});

test("a function runs the code of its asset with its variables and the cloud's addresses", async () => {
  const source = "export const handler = async () => ({ ...process.env });";
  const { cloud, stack } = await deployed(
    {
      Game: functionOf("game", {
        Environment: { Variables: { STAGE: { Ref: "AWS::StackName" } } },
      }),
    },
    { sources: { game: source } },
  );
  const client = new LambdaClient({
    region: cloud.region,
    endpoint: cloud.lambda.url,
    credentials: CREDENTIALS,
  });
  const FunctionName = stack.physicalIds.get("Game");
  const { Payload } = await client.send(new InvokeCommand({ FunctionName }));
  const variables = JSON.parse(Buffer.from(Payload ?? []).toString());
  expect(variables).toMatchObject({
    STAGE: "Game",
    ...cloud.environment,
    // So that the embedded services can tell which function asks.
    AWS_ACCESS_KEY_ID: FunctionName,
  });
  client.destroy();
});

test("a function whose code was not synthesized is an error", async () => {
  await expect(deployed({ Game: functionOf("game") })).rejects.toThrow(
    "Game (AWS::Lambda::Function): Expected code among the synthesized assets, got game.zip",
  );
});

test("a custom resource is asked as CloudFormation asks, and its answer gives id and attributes", async () => {
  const answer =
    '{ Status: "SUCCESS", PhysicalResourceId: "made", Data: { Event: JSON.stringify(event) } }';
  const { stack } = await deployed(custom({ Count: 64, Deep: [{ On: true }] }), {
    sources: { maker: answering(answer) },
    outputs: { Event: { Value: { "Fn::GetAtt": ["Made", "Event"] } } },
  });
  expect(stack.physicalIds.get("Made")).toBe("made");
  expect(textOf(stack, "Event")).toMatchObject({
    RequestType: "Create",
    StackId: stack.stackId,
    LogicalResourceId: "Made",
    ResourceType: "Custom::Made",
    ResourceProperties: { Count: "64", Deep: [{ On: "true" }] },
  });
});

test.each([
  {
    source: answering('{ Status: "FAILED", PhysicalResourceId: "x", Reason: "no room" }'),
    error: "Made (Custom::Made): no room",
    why: "answers FAILED",
  },
  {
    source: 'export const handler = async () => { throw new Error("no luck"); };',
    error: /Made \(Custom::Made\): .*no luck/,
    why: "throws",
  },
  {
    source: "export const handler = async () => undefined;",
    error: "to answer within 1 s, got nothing",
    why: "ends without an answer",
    properties: { ServiceTimeout: "1" },
  },
])(
  "a custom resource whose function $why fails the deploy",
  async ({ source, error, properties = {} }) => {
    const deploying = deployed(custom(properties), { sources: { maker: source } });
    await expect(deploying).rejects.toThrow(error);
  },
);

test("an answer counts even if the function fails after it", async () => {
  const source = answering('{ Status: "SUCCESS", PhysicalResourceId: "made" }').replace(
    /\}$/,
    'throw new Error("afterwards"); }',
  );
  const { stack } = await deployed(custom(), { sources: { maker: source } });
  expect(stack.physicalIds.get("Made")).toBe("made");
});

test.each([
  {
    type: "AWS::Events::Rule",
    targetsOf: (Arn: unknown) => ({ Targets: [{ Arn, Id: "Target0" }] }),
    event: { "detail-type": "Scheduled Event", source: "aws.events" },
  },
  {
    type: "AWS::Scheduler::Schedule",
    targetsOf: (Arn: unknown) => ({ Target: { Arn, RoleArn: "role", Input: '{"my":"input"}' } }),
    event: { my: "input" },
  },
])("$type invokes its function at the cloud's pace", async (schedule) => {
  const lines: FunctionLine[] = [];
  const arn = { "Fn::GetAtt": ["Tick", "Arn"] };
  const Properties = { ScheduleExpression: "rate(1 minute)", ...schedule.targetsOf(arn) };
  const { stack } = await deployed(
    { Tick: functionOf("tick"), Clock: { Type: schedule.type, Properties } },
    {
      sources: { tick: "export const handler = async (e) => console.log(JSON.stringify(e));" },
      cloud: { divisor: 600, onLine: (line) => void lines.push(line) },
    },
  );
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(JSON.parse(lines[0]?.text ?? "")).toMatchObject(schedule.event);
  stack.stop();
});
