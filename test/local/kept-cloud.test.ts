import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  GetEventSourceMappingCommand,
  InvokeCommand,
  LambdaClient,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { GetParameterCommand, PutParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Cloud, startCloud } from "../../local/cloud.ts";
import { type Deployed, deploy } from "../../local/deploy/deploy.ts";
import { assetsOf } from "./deploy/local-cloud.ts";

vi.setConfig({ testTimeout: 30_000 });

const CREDENTIALS = { accessKeyId: "test", secretAccessKey: "test" };

let directory: string;
let running: { readonly cloud: Cloud; readonly stack: Deployed } | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kept-cloud-"));
});

afterEach(async () => {
  await end();
  rmSync(directory, { recursive: true, force: true });
});

async function end(): Promise<void> {
  running?.stack.stop();
  await running?.cloud.close();
  running = undefined;
}

/** Ends the cloud if one runs, and starts another in the same folder. */
async function start(assetsDirectory: string, template: object = TEMPLATE) {
  await end();
  const cloud = await startCloud({ directory });
  try {
    const stack = await deploy({ template, assetsDirectory, stackName: "Game", cloud });
    running = { cloud, stack };
    return { ...clientsOf(cloud), ...stack.outputs, cloud, stack };
  } catch (error) {
    await cloud.close();
    throw error;
  }
}

function clientsOf({ region, sqs, ssm, lambda }: Cloud) {
  const options = { region, credentials: CREDENTIALS };
  return {
    sqs: new SQSClient({ ...options, endpoint: sqs.url }),
    ssm: new SSMClient({ ...options, endpoint: ssm.url }),
    lambda: new LambdaClient({ ...options, endpoint: lambda.url }),
  };
}

const game = { Type: "AWS::Lambda::Function" };
const TEMPLATE = {
  Resources: {
    Source: { Type: "AWS::SQS::Queue", Properties: { FifoQueue: true } },
    Ledger: {
      Type: "AWS::DynamoDB::Table",
      Properties: {
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
        KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      },
    },
    Where: {
      Type: "AWS::SSM::Parameter",
      Properties: { Name: "/game/where", Type: "String", Value: { Ref: "Source" } },
    },
    Maker: {
      ...game,
      Properties: { Code: { S3Key: "maker.zip" }, Handler: "index.handler", Timeout: 20 },
    },
    Made: {
      Type: "Custom::Made",
      Properties: { ServiceToken: { "Fn::GetAtt": ["Maker", "Arn"] } },
    },
    Game: {
      ...game,
      Properties: {
        Code: { S3Key: "game.zip" },
        Handler: "index.handler",
        Environment: { Variables: { QUEUE: { Ref: "Source" }, TABLE: { Ref: "Ledger" } } },
      },
    },
    Mapping: {
      Type: "AWS::Lambda::EventSourceMapping",
      Properties: {
        EventSourceArn: { "Fn::GetAtt": ["Source", "Arn"] },
        FunctionName: { Ref: "Game" },
        Enabled: true,
      },
    },
  },
  Outputs: Object.fromEntries(
    ["Source", "Ledger", "Made", "Game", "Mapping"].map((id) => [id, { Value: { Ref: id } }]),
  ),
};

/** The maker's answer differs with each call, so that a second creation would show. */
function assets(): string {
  return assetsOf({
    maker: `export async function handler(event) {
      const { StackId, RequestId, LogicalResourceId, ResponseURL } = event;
      const PhysicalResourceId = "made-" + process.pid + "-" + Date.now();
      const answer = { Status: "SUCCESS", StackId, RequestId, LogicalResourceId, PhysicalResourceId };
      await fetch(ResponseURL, { method: "PUT", body: JSON.stringify(answer) });
    }`,
    game: "export const handler = async () => ({ ...process.env });",
  });
}

test("a second start in the folder finds the stack with all that it held", async () => {
  const assetsDirectory = assets();
  const first = await start(assetsDirectory);
  const { Mapping: UUID, Source: QueueUrl } = first.stack.outputs;
  await first.lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: false }));
  await expect.poll(() => mappingOf(first)).toMatchObject({ State: "Disabled" });
  await first.sqs.send(
    new SendMessageCommand({
      ...{ QueueUrl, MessageBody: "kept", MessageGroupId: "g", MessageDeduplicationId: "d" },
    }),
  );
  await first.ssm.send(
    new PutParameterCommand({ Name: "/game/where", Value: "elsewhere", Overwrite: true }),
  );

  const second = await start(assetsDirectory);
  expect(second.stack.outputs).toEqual(first.stack.outputs);
  expect(second.cloud.environment).toEqual(first.cloud.environment);
  const { Messages } = await second.sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  expect(Messages?.map(({ Body }) => Body)).toEqual(["kept"]);
  const { Parameter } = await second.ssm.send(new GetParameterCommand({ Name: "/game/where" }));
  expect(Parameter?.Value).toBe("elsewhere");
  expect(await mappingOf(second)).toMatchObject({ State: "Disabled" });
});

type Started = Awaited<ReturnType<typeof start>>;

const mappingOf = ({ lambda, stack }: Pick<Started, "lambda" | "stack">) =>
  lambda.send(new GetEventSourceMappingCommand({ UUID: stack.outputs["Mapping"] }));

function withMapping(properties: object): typeof TEMPLATE {
  const { Mapping } = TEMPLATE.Resources;
  const changed = { ...Mapping, Properties: { ...Mapping.Properties, ...properties } };
  return { ...TEMPLATE, Resources: { ...TEMPLATE.Resources, Mapping: changed } };
}

test("a mapping that was paused takes its batch size from the template all the same", async () => {
  const assetsDirectory = assets();
  const first = await start(assetsDirectory);
  const UUID = first.stack.outputs["Mapping"];
  await first.lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: false }));
  const second = await start(assetsDirectory, withMapping({ BatchSize: 5 }));
  expect(await mappingOf(second)).toMatchObject({ State: "Disabled", BatchSize: 5 });
});

test("a template's change of a mapping counts over what an operator has set before", async () => {
  const assetsDirectory = assets();
  const first = await start(assetsDirectory);
  const UUID = first.stack.outputs["Mapping"];
  await first.lambda.send(new UpdateEventSourceMappingCommand({ UUID, BatchSize: 1 }));
  const template = withMapping({ BatchSize: 5 });
  await first.stack.update({ template, assetsDirectory });
  expect(await mappingOf(first)).toMatchObject({ BatchSize: 5 });
  expect(await mappingOf(await start(assetsDirectory, template))).toMatchObject({ BatchSize: 5 });
});

test("a function and its mapping that left and came back are found again, and the mapping polls", async () => {
  const assetsDirectory = assets();
  const first = await start(assetsDirectory);
  const { Game, Mapping, ...Resources } = TEMPLATE.Resources;
  const { Game: _, Mapping: __, ...Outputs } = TEMPLATE.Outputs;
  await first.stack.update({ template: { Resources, Outputs }, assetsDirectory });
  const stack = await first.stack.update({ template: TEMPLATE, assetsDirectory });
  expect(stack.outputs["Game"]).not.toBe(first.stack.outputs["Game"]);
  expect(await mappingOf({ ...first, stack })).toMatchObject({ State: "Enabled" });

  const second = await start(assetsDirectory);
  expect(second.stack.outputs).toEqual(stack.outputs);
  expect(await mappingOf(second)).toMatchObject({ State: "Enabled" });
});

test("where a port is taken meanwhile, parameters and functions get the new address", async () => {
  const assetsDirectory = assets();
  const first = await start(assetsDirectory);
  const { port } = first.cloud.sqs;
  await end();
  const other = await startCloud({ directory: join(directory, "other") });
  try {
    writeFileSync(
      join(directory, "addresses.json"),
      JSON.stringify([["sqs", `http://127.0.0.1:${other.sqs.port}`]]),
    );
    for (const name of ["parameters.json", "stacks.json"]) {
      replaceIn(join(directory, name), `:${port}/`, `:${other.sqs.port}/`);
    }
    const second = await start(assetsDirectory);
    const QUEUE = second.stack.outputs["Source"];
    expect(QUEUE).toMatch(new RegExp(`^${second.cloud.sqs.url}/`));
    expect(second.cloud.sqs.port).not.toBe(other.sqs.port);
    const { Parameter } = await second.ssm.send(new GetParameterCommand({ Name: "/game/where" }));
    expect(Parameter?.Value).toBe(QUEUE);
    const { Payload } = await second.lambda.send(
      new InvokeCommand({ FunctionName: second.stack.outputs["Game"] }),
    );
    expect(JSON.parse(Buffer.from(Payload ?? []).toString())).toMatchObject({
      QUEUE,
      AWS_ENDPOINT_URL_SQS: second.cloud.sqs.url,
    });
  } finally {
    await other.close();
  }
});

function replaceIn(file: string, from: string, to: string): void {
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(from, to));
}

test("what is kept and has other properties in the template is refused", async () => {
  const assetsDirectory = assets();
  await start(assetsDirectory);
  const { Source, ...Resources } = TEMPLATE.Resources;
  const changed = { ...Source, Properties: { ...Source.Properties, VisibilityTimeout: 50 } };
  const template = { ...TEMPLATE, Resources: { Source: changed, ...Resources } };
  await expect(start(assetsDirectory, template)).rejects.toThrow(
    "Source (AWS::SQS::Queue): Expected the properties with which it was created",
  );
});
