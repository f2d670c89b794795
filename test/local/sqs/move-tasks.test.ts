import {
  CancelMessageMoveTaskCommand,
  ListMessageMoveTasksCommand,
  StartMessageMoveTaskCommand,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Sqs, startSqs } from "../../../local/sqs/server.ts";
import { bodiesOf, type QueueClient, queueClient } from "./queue-client.ts";

let sqs: Sqs;
let client: QueueClient;

beforeAll(async () => {
  sqs = await startSqs();
  client = queueClient(sqs.url);
});

afterAll(() => sqs.close());

/** A pair with these bodies in its dead-letter queue, and nothing in its source. */
async function pairWithLetters(...bodies: readonly string[]) {
  const pair = await client.createPair(1);
  for (const body of bodies) await client.send(pair.source, body);
  await client.receive(pair.source);
  await client.receive(pair.source);
  expect(await client.countsOf(pair.letters)).toBe(`${bodies.length}/0/0`);
  return pair;
}

async function lastTask(SourceArn: string) {
  const { Results } = await client.sdk.send(new ListMessageMoveTasksCommand({ SourceArn }));
  return Results?.[0];
}

function untilStatus(arn: string, status: string): Promise<void> {
  return vi.waitFor(async () => expect((await lastTask(arn))?.Status).toBe(status), {
    timeout: 4000,
    interval: 10,
  });
}

it("moves letters back to where they came from, in order, as new messages", async () => {
  const { source, letters, lettersArn } = await pairWithLetters("a0", "a1", "a2");
  const [letter] = await client.receive(letters, { VisibilityTimeout: 0, MaxNumberOfMessages: 1 });
  await client.sdk.send(new StartMessageMoveTaskCommand({ SourceArn: lettersArn }));
  await untilStatus(lettersArn, "COMPLETED");
  const moved = await client.receive(source);
  expect(bodiesOf(moved)).toBe("a0 a1 a2");
  expect(moved[0]?.MessageId).not.toBe(letter?.MessageId);
  expect(moved[0]?.Attributes).toMatchObject({ ApproximateReceiveCount: "1", MessageGroupId: "a" });
  expect(moved[0]?.Attributes).not.toHaveProperty("DeadLetterQueueSourceArn");
  expect(await lastTask(lettersArn)).toMatchObject({
    ApproximateNumberOfMessagesMoved: 3,
    ApproximateNumberOfMessagesToMove: 3,
  });
});

it("moves them to the queue that the task names, and leaves what is in flight", async () => {
  const { letters, lettersArn } = await pairWithLetters("a0", "b0");
  const [held] = await client.receive(letters, { MaxNumberOfMessages: 1 });
  const destination = await client.createQueue();
  await client.sdk.send(
    new StartMessageMoveTaskCommand({
      SourceArn: lettersArn,
      DestinationArn: await client.arnOf(destination),
      MaxNumberOfMessagesPerSecond: 500,
    }),
  );
  await untilStatus(lettersArn, "COMPLETED");
  expect(held?.Body).toBe("a0");
  expect(bodiesOf(await client.receive(destination))).toBe("b0");
  expect(await client.countsOf(letters)).toBe("0/1/0");
});

it("goes no faster than it was told and stops when it is cancelled", async () => {
  const { source, letters, lettersArn } = await pairWithLetters("a0", "b0", "c0");
  const start = new StartMessageMoveTaskCommand({
    SourceArn: lettersArn,
    MaxNumberOfMessagesPerSecond: 1,
  });
  const { TaskHandle } = await client.sdk.send(start);
  await vi.waitFor(async () => expect(await client.countsOf(letters)).toBe("2/0/0"), {
    interval: 10,
  });
  expect((await lastTask(lettersArn))?.TaskHandle).toBe(TaskHandle);
  await expect(client.sdk.send(start)).rejects.toMatchObject({
    name: "InvalidParameterValue",
    message: expect.stringContaining("already a task running"),
  });
  const cancelled = await client.sdk.send(new CancelMessageMoveTaskCommand({ TaskHandle }));
  expect(cancelled.ApproximateNumberOfMessagesMoved).toBe(1);
  const task = await lastTask(lettersArn);
  expect(task?.Status).toBe("CANCELLED");
  expect(task).not.toHaveProperty("TaskHandle");
  expect(await client.countsOf(source)).toBe("1/0/0");
});

it("fails on a letter that was sent by hand, which has no queue to go back to", async () => {
  const { letters, lettersArn } = await client.createPair(1);
  await client.send(letters, "a0");
  await client.sdk.send(new StartMessageMoveTaskCommand({ SourceArn: lettersArn }));
  await untilStatus(lettersArn, "FAILED");
  expect((await lastTask(lettersArn))?.FailureReason).toBe("CouldNotDetermineMessageSource");
  expect(await client.countsOf(letters)).toBe("1/0/0");
});

it("is refused for a queue that is no dead-letter queue, and for one that is not there", async () => {
  const queue = await client.createQueue();
  const arn = await client.arnOf(queue);
  const start = (SourceArn: string) =>
    client.sdk.send(new StartMessageMoveTaskCommand({ SourceArn }));
  await expect(start(arn)).rejects.toMatchObject({ name: "InvalidParameterValue" });
  await expect(start(`${arn}.none`)).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  await expect(
    client.sdk.send(new CancelMessageMoveTaskCommand({ TaskHandle: "none" })),
  ).rejects.toMatchObject({ name: "ResourceNotFoundException" });
});
