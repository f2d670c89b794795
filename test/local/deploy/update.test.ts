import { GetQueueUrlCommand } from "@aws-sdk/client-sqs";
import { expect, test, vi } from "vitest";
import { deploy } from "../../../local/deploy/deploy.ts";
import type { FunctionLine } from "../../../local/lambda/server.ts";
import {
  functionIn,
  type Game,
  game,
  parameter,
  queue,
  REFUSED,
  type Resources,
} from "./live-game.ts";
import { assetsOf, localCloud } from "./local-cloud.ts";

vi.setConfig({ testTimeout: 30_000 });

const table = (more: object = {}, policies: object = {}): object => ({
  Type: "AWS::DynamoDB::Table",
  Properties: {
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    ...more,
  },
  ...policies,
});

const queueNames = ({ cloud }: Game): readonly string[] =>
  cloud.sqs.sample().map(({ queueName }) => queueName);

test("changes a queue in place, and what refers to it stays", async () => {
  const live = await game({ Source: queue(), Where: parameter({ Ref: "Source" }) });
  const next = await live.update({
    Source: queue({ VisibilityTimeout: 77 }),
    Where: parameter({ Ref: "Source" }),
  });
  const QueueUrl = next.physicalIds.get("Source");
  expect(QueueUrl).toBe(live.stack.physicalIds.get("Source"));
  expect(await live.attributesOf(QueueUrl)).toMatchObject({ VisibilityTimeout: "77" });
});

test.each([
  { UpdateReplacePolicy: "Retain", left: 2, why: "is retained" },
  { UpdateReplacePolicy: "Delete", left: 1, why: "goes" },
])(
  "a queue that another one replaces $why where its policy says $UpdateReplacePolicy",
  async ({ UpdateReplacePolicy, left }) => {
    const live = await game({
      Source: queue({}, { UpdateReplacePolicy }),
      Where: parameter({ Ref: "Source" }),
    });
    const next = await live.update({
      Source: queue({ FifoQueue: true }, { UpdateReplacePolicy }),
      Where: parameter({ Ref: "Source" }),
    });
    expect(queueNames(live)).toHaveLength(left);
    expect(next.physicalIds.get("Source")).toMatch(/\.fifo$/);
    expect(await live.parameter()).toBe(next.physicalIds.get("Source"));
  },
);

test("a table of the same name that is made up gets another one when its keys change", async () => {
  const live = await game({ Ledger: table({}, { UpdateReplacePolicy: "Retain" }) });
  const keys = {
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  };
  const next = await live.update({ Ledger: table(keys) });
  expect(next.physicalIds.get("Ledger")).not.toBe(live.stack.physicalIds.get("Ledger"));
});

test("a policy comes off the queues that it is no longer for, and off all when it leaves", async () => {
  const policy = (...queues: readonly string[]): object => ({
    Type: "AWS::SQS::QueuePolicy",
    Properties: {
      PolicyDocument: { Version: "2012-10-17", Statement: [] },
      Queues: queues.map((Ref) => ({ Ref })),
    },
  });
  const queues = { One: queue(), Two: queue() };
  const live = await game({ ...queues, Rule: policy("One", "Two") });
  const policies = (): Promise<readonly (string | undefined)[]> =>
    Promise.all(
      ["One", "Two"].map(
        async (id) => (await live.attributesOf(live.stack.physicalIds.get(id)))["Policy"],
      ),
    );
  const text = '{"Version":"2012-10-17","Statement":[]}';
  expect(await policies()).toEqual([text, text]);
  await live.update({ ...queues, Rule: policy("Two") });
  expect(await policies()).toEqual([undefined, text]);
  await live.update(queues);
  expect(await policies()).toEqual([undefined, undefined]);
});

test("what the template no longer has goes, unless its policy retains it", async () => {
  const live = await game({
    Kept: queue({ QueueName: "kept" }, { DeletionPolicy: "RetainExceptOnCreate" }),
    Gone: queue({ QueueName: "gone" }),
    Stays: queue({ QueueName: "stays" }),
    Where: parameter("here"),
  });
  await live.update({ Stays: queue({ QueueName: "stays" }) });
  expect(queueNames(live).toSorted()).toEqual(["kept", "stays"]);
  expect(await live.parameter()).toBeUndefined();
});

test("a failed update changes back what it had changed, and takes what it had created", async () => {
  const live = await game({ Source: queue({ QueueName: "source" }), Where: parameter("before") });
  const update = live.update({
    Source: queue({ QueueName: "source", VisibilityTimeout: 77 }),
    Where: parameter("after"),
    New: queue({ QueueName: "new" }, { DeletionPolicy: "RetainExceptOnCreate" }),
    Wrong: REFUSED,
  });
  await expect(update).rejects.toThrow(/^Wrong \(AWS::SQS::Queue\)/);
  expect(await live.parameter()).toBe("before");
  expect(queueNames(live)).toEqual(["source"]);
  const { QueueUrl } = await live.sqs.send(new GetQueueUrlCommand({ QueueName: "source" }));
  expect((await live.update({ Source: queue({ QueueName: "source" }) })).physicalIds).toEqual(
    new Map([["Source", QueueUrl]]),
  );
});

test("a custom resource is asked to change, and the old one to go where the answer has another id", async () => {
  const lines: string[] = [];
  const maker = `export async function handler(event) {
    const { StackId, RequestId, LogicalResourceId, RequestType, PhysicalResourceId: before } = event;
    const { Id } = event.ResourceProperties;
    console.log([RequestType, before, Id].join(" "));
    const PhysicalResourceId = RequestType === "Delete" ? before : Id;
    const answer = { Status: "SUCCESS", StackId, RequestId, LogicalResourceId, PhysicalResourceId };
    await fetch(event.ResponseURL, { method: "PUT", body: JSON.stringify(answer) });
  }`;
  const resources = (Id: string): Resources => ({
    Maker: functionIn("maker", { Timeout: 20 }),
    Made: {
      Type: "Custom::Made",
      Properties: { ServiceToken: { "Fn::GetAtt": ["Maker", "Arn"] }, Id },
    },
  });
  const live = await game(
    resources("one"),
    { maker },
    { onLine: ({ text }: FunctionLine) => void lines.push(text) },
  );
  const next = await live.update(resources("two"));
  await next.destroy();
  expect(lines).toEqual(["Create  one", "Update one two", "Delete one one", "Delete two two"]);
});

test("a change that is not served is refused by name, and nothing has changed", async () => {
  const live = await game({ Ledger: table(), Where: parameter("before") });
  const update = live.update({
    Where: parameter("after"),
    Ledger: table({ DeletionProtectionEnabled: true }),
  });
  await expect(update).rejects.toThrow(/^Ledger .*none but its name and keys is changed here/);
  expect(await live.parameter()).toBe("before");
});

test("a stack with a protected table to delete is not destroyed", async () => {
  const Protected = table({ DeletionProtectionEnabled: true });
  const live = await game({ Ledger: Protected, Source: queue() });
  await expect(live.stack.destroy()).rejects.toThrow(/^Ledger .*protected against deletion/);
  expect(live.cloud.stacks.get("Game")).toBeDefined();
});

test.each([
  { DeletionPolicy: "Delete", left: 0 },
  { DeletionPolicy: "RetainExceptOnCreate", left: 0 },
  { DeletionPolicy: "Retain", left: 1 },
])(
  "a failed first deploy leaves $left queue of the policy $DeletionPolicy",
  async ({ DeletionPolicy, left }) => {
    const cloud = await localCloud();
    const Resources = {
      Source: queue({}, { DeletionPolicy }),
      Wrong: { ...REFUSED, DependsOn: "Source" },
    };
    const options = { assetsDirectory: assetsOf({}), stackName: "Game", cloud };
    await expect(deploy({ ...options, template: { Resources } })).rejects.toThrow(
      /^Wrong .*The stack was rolled back\. (Nothing is left|Left, .* AWS::SQS::Queue )/,
    );
    expect(cloud.sqs.sample()).toHaveLength(left);
    expect(cloud.stacks.get("Game")).toBeUndefined();
    const { Source } = Resources;
    await deploy({ ...options, template: { Resources: { Source } } });
    expect(cloud.sqs.sample()).toHaveLength(left + 1);
  },
);

test("a schedule that is changed runs at its new pace only, and ends with the stack", async () => {
  const lines: string[] = [];
  const resources = (text: string): Resources => ({
    Tick: functionIn("tick"),
    Clock: {
      Type: "AWS::Scheduler::Schedule",
      Properties: {
        ScheduleExpression: "rate(1 minute)",
        Target: { Arn: { "Fn::GetAtt": ["Tick", "Arn"] }, RoleArn: "role", Input: `"${text}"` },
      },
    },
  });
  const live = await game(
    resources("old"),
    { tick: "export const handler = async (event) => console.log(event);" },
    { divisor: 600, onLine: ({ text }: FunctionLine) => void lines.push(text) },
  );
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBeGreaterThan(0);
  const next = await live.update(resources("new"));
  await expect.poll(() => lines.filter((line) => line === "new").length).toBeGreaterThan(1);
  expect(lines.lastIndexOf("old")).toBeLessThan(lines.indexOf("new") + 1);
  await next.destroy();
  expect(live.cloud.stacks.get("Game")).toBeUndefined();
});
