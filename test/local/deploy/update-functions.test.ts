import {
  GetEventSourceMappingCommand,
  GetFunctionEventInvokeConfigCommand,
  type LambdaClient,
} from "@aws-sdk/client-lambda";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Cloud } from "../../../local/cloud.ts";
import { createClients } from "../../../local/deploy/clients.ts";
import type { Deployed } from "../../../local/deploy/deploy.ts";
import { functionIn, game, parameter, queue, REFUSED, type Resources } from "./live-game.ts";

vi.setConfig({ testTimeout: 30_000 });

const answering = (answer: string): string => `export const handler = async () => ${answer};`;

function lambdaOf(cloud: Cloud): LambdaClient {
  const clients = createClients(cloud);
  onTestFinished(() => clients.destroy());
  return clients.lambda;
}

const said = async (cloud: Cloud, { physicalIds }: Deployed, id = "Game"): Promise<unknown> =>
  (await cloud.lambda.invoke(physicalIds.get(id) ?? "", {})).payload;

const staged = (STAGE: string, more: object = {}): object =>
  functionIn("game", { Environment: { Variables: { STAGE } }, ...more });

test("new variables, time and memory of a function count from its next invocation", async () => {
  const source = answering("[process.env.STAGE, process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE]");
  const live = await game({ Game: staged("old") }, { game: source });
  expect(await said(live.cloud, live.stack)).toEqual(["old", "128"]);
  const next = await live.update({ Game: staged("new", { MemorySize: 256, Timeout: 9 }) });
  expect(next.physicalIds).toEqual(live.stack.physicalIds);
  expect(await said(live.cloud, next)).toEqual(["new", "256"]);
});

test("a failed update takes code and settings back, though the later synth has the new code only", async () => {
  const live = await game(
    { Game: functionIn("one"), Staged: staged("old"), Where: parameter("before") },
    { one: answering('"one"'), game: answering("process.env.STAGE") },
  );
  const update = live.update(
    { Where: parameter("after"), Game: functionIn("two"), Staged: staged("new"), Wrong: REFUSED },
    { two: answering('"two"'), game: answering("process.env.STAGE") },
  );
  await expect(update).rejects.toThrow(/^Wrong \(AWS::SQS::Queue\)/);
  expect(await said(live.cloud, live.stack)).toBe("one");
  expect(await said(live.cloud, live.stack, "Staged")).toBe("old");
  expect(await live.parameter()).toBe("before");
});

const mapped = (properties: object = {}, code = functionIn("game")): Resources => ({
  Source: queue({ FifoQueue: true }),
  Game: code,
  Mapping: {
    Type: "AWS::Lambda::EventSourceMapping",
    Properties: {
      EventSourceArn: { "Fn::GetAtt": ["Source", "Arn"] },
      FunctionName: { Ref: "Game" },
      ...properties,
    },
  },
});

test("a mapping that is told to report failures keeps what the function reports", async () => {
  const source = `export const handler = async ({ Records }) => {
    console.log("called");
    return { batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };`;
  const lines: string[] = [];
  const live = await game(mapped(), { game: source }, { onLine: ({ text }) => lines.push(text) });
  const reporting = { FunctionResponseTypes: ["ReportBatchItemFailures"], BatchSize: 5 };
  const next = await live.update(mapped(reporting));
  const UUID = next.physicalIds.get("Mapping");
  const mapping = await lambdaOf(live.cloud).send(new GetEventSourceMappingCommand({ UUID }));
  expect(mapping).toMatchObject(reporting);
  const message = { MessageBody: "kept", MessageGroupId: "g", MessageDeduplicationId: "d" };
  const QueueUrl = next.physicalIds.get("Source");
  await live.sqs.send(new SendMessageCommand({ QueueUrl, ...message }));
  await expect.poll(() => lines, { timeout: 10_000 }).toContain("called");
  await live.update(mapped({ ...reporting, Enabled: false }));
  // Disabled: the answer to the batch has been dealt with.
  await expect
    .poll(
      async () =>
        (await lambdaOf(live.cloud).send(new GetEventSourceMappingCommand({ UUID }))).State,
    )
    .toBe("Disabled");
  expect(await live.attributesOf(QueueUrl)).toMatchObject({
    ApproximateNumberOfMessagesNotVisible: "1",
  });
});

test("functions, mappings, queues and schedules leave a stack, and come back", async () => {
  const lines: string[] = [];
  const all: Resources = {
    ...mapped({}, functionIn("game", { Environment: { Variables: { IT: "game" } } })),
    Config: {
      Type: "AWS::Lambda::EventInvokeConfig",
      Properties: { FunctionName: { Ref: "Game" }, Qualifier: "$LATEST", MaximumRetryAttempts: 0 },
    },
    Clock: {
      Type: "AWS::Scheduler::Schedule",
      Properties: {
        ScheduleExpression: "rate(1 minute)",
        Target: { Arn: { "Fn::GetAtt": ["Game", "Arn"] }, RoleArn: "role", Input: '"tick"' },
      },
    },
  };
  const source = 'export const handler = async (e) => console.log(e === "tick" ? e : "batch");';
  const options = { divisor: 600, onLine: ({ text }: { text: string }) => void lines.push(text) };
  const live = await game({ Stays: queue(), ...all }, { game: source }, options);
  const nameBefore = live.stack.physicalIds.get("Game") ?? "";
  const less = await live.update({ Stays: queue() });
  expect(less.leftOver).toEqual([]);
  await expect(live.cloud.lambda.invoke(nameBefore, {})).rejects.toThrow("Function not found");
  expect(live.cloud.sqs.sample()).toHaveLength(1);

  const back = await live.update({ Stays: queue(), ...all });
  // As CloudFormation's, which makes up a name anew with each creation.
  expect(back.physicalIds.get("Game")).not.toBe(nameBefore);
  lines.length = 0;
  await expect.poll(() => lines, { timeout: 10_000 }).toContain("tick");
  const message = { MessageBody: "m", MessageGroupId: "g", MessageDeduplicationId: "d" };
  const QueueUrl = back.physicalIds.get("Source");
  await live.sqs.send(new SendMessageCommand({ QueueUrl, ...message }));
  await expect.poll(() => lines, { timeout: 10_000 }).toContain("batch");
});

test("retries of asynchronous invocations follow their own resource", async () => {
  const config = (MaximumRetryAttempts: number): Resources => ({
    Game: functionIn("game"),
    Config: {
      Type: "AWS::Lambda::EventInvokeConfig",
      Properties: { FunctionName: { Ref: "Game" }, Qualifier: "$LATEST", MaximumRetryAttempts },
    },
  });
  const live = await game(config(0), { game: answering("1") });
  const retries = async (): Promise<number | undefined> => {
    const FunctionName = live.stack.physicalIds.get("Game");
    const command = new GetFunctionEventInvokeConfigCommand({ FunctionName });
    return (await lambdaOf(live.cloud).send(command)).MaximumRetryAttempts;
  };
  expect(await retries()).toBe(0);
  await live.update(config(1));
  expect(await retries()).toBe(1);
  await live.update({ Game: functionIn("game") });
  expect(await retries()).toBe(2);
});
