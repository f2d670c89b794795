import { equal, match } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import {
  CancelMessageMoveTaskCommand,
  ListMessageMoveTasksCommand,
  StartMessageMoveTaskCommand,
} from "@aws-sdk/client-sqs";
import type { Case } from "../case.ts";
import { refuses } from "../refusal.ts";
import { bodiesOf, type Queue, type SqsAt } from "../sqs-at.ts";

const WITHIN_MS = 8000;

/** SQS's own way back from a dead-letter queue. AWS has not said that it serves FIFO queues alike. */
export const MOVE_TASKS: readonly Case[] = [
  {
    title: "moves letters back to their source in order",
    async ask(at) {
      const { source, SourceArn } = await lettersOf(at, "a0", "a1", "a2");
      await at.sdk.send(new StartMessageMoveTaskCommand({ SourceArn }));
      await untilCounts(source, "3/0/0");
      equal(bodiesOf(await source.receive({ VisibilityTimeout: 30 })), "a0 a1 a2");
      match(await statusOf(at, SourceArn), /^COMPLETED$/);
    },
  },
  {
    title: "moves letters to another queue where one is named",
    async ask(at) {
      const { SourceArn } = await lettersOf(at, "a0");
      const other = await at.queue();
      const DestinationArn = await other.arn();
      await at.sdk.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
      await untilCounts(other, "1/0/0");
    },
  },
  {
    title: "stops moving when a task is cancelled",
    async ask(at) {
      const { SourceArn } = await lettersOf(at, "a0", "b0", "c0", "d0", "e0", "f0");
      const slow = { SourceArn, MaxNumberOfMessagesPerSecond: 1 };
      const { TaskHandle } = await at.sdk.send(new StartMessageMoveTaskCommand(slow));
      await at.sdk.send(new CancelMessageMoveTaskCommand({ TaskHandle }));
      match(await statusOf(at, SourceArn), /^CANCELL(ING|ED)$/);
    },
  },
  refuses(
    "refuses to move from a queue that holds nobody's letters",
    "InvalidParameterValue",
    async (at) => {
      const SourceArn = await (await at.queue()).arn();
      await at.sdk.send(new StartMessageMoveTaskCommand({ SourceArn }));
    },
  ),
  refuses("refuses to move from a queue that does not exist", "ResourceNotFound", async (at) => {
    const SourceArn = (await (await at.queue()).arn()).replace(/[^:]+$/, "nowhere.fifo");
    await at.sdk.send(new StartMessageMoveTaskCommand({ SourceArn }));
  }),
];

async function lettersOf(at: SqsAt, ...bodies: readonly string[]) {
  const { source, letters } = await at.pair(1);
  for (const body of bodies) await source.send(body);
  await source.receive();
  await source.receive();
  equal(await letters.counts(), `${bodies.length}/0/0`);
  return { source, SourceArn: await letters.arn() };
}

async function statusOf(at: SqsAt, SourceArn: string): Promise<string> {
  const { Results: [task] = [] } = await at.sdk.send(
    new ListMessageMoveTasksCommand({ SourceArn }),
  );
  return task?.Status ?? "none";
}

async function untilCounts(queue: Queue, expected: string): Promise<void> {
  const endMs = Date.now() + WITHIN_MS;
  while ((await queue.counts()) !== expected && Date.now() < endMs) await delay(100);
  equal(await queue.counts(), expected);
}
