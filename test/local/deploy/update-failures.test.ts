import { ListQueueTagsCommand } from "@aws-sdk/client-sqs";
import { expect, test, vi } from "vitest";
import { DeployError, NotTakenBackError } from "../../../local/deploy/deploy-error.ts";
import { functionIn, game, parameter, queue, REFUSED, type Resources } from "./live-game.ts";

vi.setConfig({ testTimeout: 30_000 });

/** Logs what it is asked, and fails each change to what its variable says. */
const MAKER = `export async function handler(event) {
  const { StackId, RequestId, LogicalResourceId, RequestType, ResourceProperties } = event;
  const { Id } = ResourceProperties;
  console.log(RequestType + " " + Id);
  const Status = RequestType === "Update" && Id === process.env.FAILS ? "FAILED" : "SUCCESS";
  const answer = { Status, Reason: "no way to " + Id, StackId, RequestId, LogicalResourceId };
  const body = JSON.stringify({ ...answer, PhysicalResourceId: "made" });
  await fetch(event.ResponseURL, { method: "PUT", body });
}`;

const making = (Id: string, FAILS: string): Resources => ({
  Maker: functionIn("maker", { Timeout: 20, Environment: { Variables: { FAILS } } }),
  Made: {
    Type: "Custom::Made",
    Properties: { ServiceToken: { "Fn::GetAtt": ["Maker", "Arn"] }, Id },
  },
});

test("where one change cannot be taken back, all others are, and both failures are told", async () => {
  const lines: string[] = [];
  const live = await game(
    { Where: parameter("before"), ...making("one", "one"), Later: queue({ DelaySeconds: 3 }) },
    { maker: MAKER },
    { onLine: ({ text }) => lines.push(text) },
  );
  const update = live.update({
    Where: parameter("after"),
    ...making("two", "one"),
    Later: queue({ DelaySeconds: 4 }),
    Wrong: REFUSED,
  });
  const error = await update.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(NotTakenBackError);
  expect(String(error)).toMatch(
    /: Wrong \(AWS::SQS::Queue\): .*\. Taking back failed, too: Made \(Custom::Made\): no way to one$/,
  );
  expect((error as Error).cause).toBeInstanceOf(DeployError);
  expect(await live.parameter()).toBe("before");
  const later = live.stack.physicalIds.get("Later");
  expect(await live.attributesOf(later)).toMatchObject({ DelaySeconds: "3" });

  // It is still what the failed update has made of it, so that the next one asks for it again.
  lines.length = 0;
  await live.update({ Where: parameter("before"), ...making("one", "none") });
  expect(lines).toEqual(["Update one"]);
});

test("a custom resource that fails to change is asked to change back, and its failure is told", async () => {
  const lines: string[] = [];
  const live = await game(
    { Where: parameter("before"), ...making("one", "two") },
    { maker: MAKER },
    { onLine: ({ text }) => lines.push(text) },
  );
  const update = live.update({ Where: parameter("after"), ...making("two", "two") });
  await expect(update).rejects.toThrow(/^Made \(Custom::Made\): no way to two$/);
  expect(lines).toEqual(["Create one", "Update two", "Update one"]);
  expect(await live.parameter()).toBe("before");
});

const TUNED = {
  ...{ FifoQueue: true, VisibilityTimeout: 77, ContentBasedDeduplication: true },
  KmsMasterKeyId: "alias/game",
  Tags: [
    { Key: "game", Value: "one" },
    { Key: "stage", Value: "live" },
  ],
};

test("what a queue's template no longer says is as with a new queue", async () => {
  const live = await game({ New: queue({ FifoQueue: true }), Source: queue(TUNED) });
  const { physicalIds } = await live.update({
    New: queue({ FifoQueue: true }),
    Source: queue({ FifoQueue: true, Tags: [{ Key: "game", Value: "two" }] }),
  });
  const settings = async (id: string): Promise<object> => {
    const { QueueArn, CreatedTimestamp, LastModifiedTimestamp, ...others } =
      await live.attributesOf(physicalIds.get(id));
    return others;
  };
  expect(await settings("Source")).toEqual(await settings("New"));
  const QueueUrl = physicalIds.get("Source");
  const { Tags } = await live.sqs.send(new ListQueueTagsCommand({ QueueUrl }));
  expect(Tags).toEqual({ game: "two" });
});

test("a failed update gives a queue its attributes and tags back", async () => {
  const live = await game({ Source: queue(TUNED) });
  const QueueUrl = live.stack.physicalIds.get("Source");
  const state = async (): Promise<object> => {
    const { LastModifiedTimestamp, ...others } = await live.attributesOf(QueueUrl);
    const { Tags } = await live.sqs.send(new ListQueueTagsCommand({ QueueUrl }));
    return { ...others, Tags };
  };
  const before = await state();
  const Tags = [{ Key: "more", Value: "1" }];
  const changed = queue({ FifoQueue: true, DelaySeconds: 9, Tags });
  const update = live.update({ Source: changed, Wrong: { ...REFUSED, DependsOn: "Source" } });
  await expect(update).rejects.toThrow(/^Wrong/);
  expect(await state()).toEqual(before);
});

test("what cannot be deleted afterwards does not fail the update, holds up nothing and is told", async () => {
  const lines: string[] = [];
  const clock = (text: string): object => ({
    Type: "AWS::Scheduler::Schedule",
    Properties: {
      ScheduleExpression: "rate(1 minute)",
      Target: { Arn: { "Fn::GetAtt": ["Tick", "Arn"] }, RoleArn: "role", Input: `"${text}"` },
    },
  });
  const stays = { Tick: functionIn("tick"), Clock: clock("stays") };
  const live = await game(
    {
      ...stays,
      OldClock: clock("leaves"),
      Gone: queue({ QueueName: "gone" }),
      Ledger: {
        Type: "AWS::DynamoDB::Table",
        Properties: {
          BillingMode: "PAY_PER_REQUEST",
          AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
          KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
          DeletionProtectionEnabled: true,
        },
      },
      Where: parameter("before"),
    },
    { tick: "export const handler = async (event) => console.log(event);" },
    { divisor: 600, onLine: ({ text }) => lines.push(text) },
  );
  await expect.poll(() => lines, { timeout: 10_000 }).toContain("leaves");
  const next = await live.update({ ...stays, Where: parameter("after") });
  expect(next.leftOver.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Ledger \(AWS::DynamoDB::Table\): .*protected against deletion/),
  ]);
  expect(await live.parameter()).toBe("after");
  expect(live.cloud.sqs.sample()).toEqual([]);
  const since = lines.length;
  const beats = (): number => lines.slice(since).filter((line) => line === "stays").length;
  await expect.poll(beats, { timeout: 10_000 }).toBeGreaterThan(4);
  // One that was under way when its schedule went may still be heard.
  expect(lines.slice(since).filter((line) => line === "leaves").length).toBeLessThan(2);
  // It is in no stack any more, so a destroy does not ask for it again.
  await next.destroy();
});

test("a name that is made up is another one each time, so that what was retained stays apart", async () => {
  const retained = queue({}, { DeletionPolicy: "Retain" });
  const live = await game({ Stays: parameter("here"), Source: retained });
  await live.update({ Stays: parameter("here") });
  const next = await live.update({ Stays: parameter("here"), Source: retained });
  expect(next.physicalIds.get("Source")).not.toBe(live.stack.physicalIds.get("Source"));
  expect(live.cloud.sqs.sample()).toHaveLength(2);
});

test("timers of a resource whose place another takes end with the update, and go on where it fails", async () => {
  const Arn = { "Fn::GetAtt": ["Tick", "Arn"] };
  const every = { ScheduleExpression: "rate(1 minute)" };
  const rule = {
    Type: "AWS::Events::Rule",
    Properties: { ...every, Targets: [{ Arn, Id: "Target0", Input: '"old"' }] },
  };
  const schedule = {
    Type: "AWS::Scheduler::Schedule",
    Properties: { ...every, Target: { Arn, RoleArn: "role", Input: '"new"' } },
  };
  const lines: string[] = [];
  const Tick = functionIn("tick");
  const live = await game(
    { Tick, Clock: rule },
    { tick: "export const handler = async (event) => console.log(event);" },
    { divisor: 600, onLine: ({ text }) => lines.push(text) },
  );
  const heard = (text: string, from: number): number =>
    lines.slice(from).filter((line) => line === text).length;

  const failing = live.update({ Tick, Clock: schedule, Wrong: { ...REFUSED, DependsOn: "Clock" } });
  await expect(failing).rejects.toThrow(/^Wrong/);
  let since = lines.length;
  await expect.poll(() => heard("old", since), { timeout: 10_000 }).toBeGreaterThan(4);
  // One of each that was under way may still be heard.
  expect(heard("new", since)).toBeLessThan(2);

  await live.update({ Tick, Clock: schedule });
  since = lines.length;
  await expect.poll(() => heard("new", since), { timeout: 10_000 }).toBeGreaterThan(4);
  expect(heard("old", since)).toBeLessThan(2);
});

test("a failed replacement leaves the resource its name, also for later changes", async () => {
  const topic = (DisplayName: string): object => ({
    Type: "AWS::SNS::Topic",
    Properties: { DisplayName },
  });
  const live = await game({ Told: topic("one") });
  const update = live.update({
    Told: { Type: "AWS::IAM::Role" },
    Wrong: { ...REFUSED, DependsOn: "Told" },
  });
  await expect(update).rejects.toThrow(/^Wrong/);
  const next = await live.update({ Told: topic("two") });
  expect(next.physicalIds).toEqual(live.stack.physicalIds);
});
