import { deepEqual, equal, match } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { ListDeadLetterSourceQueuesCommand } from "@aws-sdk/client-sqs";
import type { Case } from "../case.ts";
import { ANY, codeOf, refuses } from "../refusal.ts";
import { bodiesOf, type Pair, redrivePolicy } from "../sqs-at.ts";

const TAG = { tag: { DataType: "String", StringValue: "value" } };

/** When a message moves to the dead-letter queue, and what it keeps. */
export const LETTERS: readonly Case[] = [
  {
    title: "moves a message at the receive after the last that is allowed",
    async ask(at) {
      const { source, letters } = await at.pair(2);
      for (const body of ["a0", "a1"]) await source.send(body);
      const seen: string[] = [];
      for (let n = 0; n < 5; n += 1) {
        const given = bodiesOf(await source.receive({ MaxNumberOfMessages: 1 }));
        seen.push(`${given} ${(await letters.counts()).split("/")[0]}`);
      }
      deepEqual(seen, ["a0 0", "a0 0", "a1 1", "a1 1", " 2"]);
    },
  },
  {
    title: "keeps MessageId, group and attributes of a letter, and names its source",
    async ask(at) {
      const { source, letters } = await at.pair(1);
      const sent = await source.send("a0", { MessageAttributes: TAG });
      const letter = await letterOf({ source, letters });
      equal(letter?.MessageId, sent.MessageId);
      equal(letter?.Attributes?.MessageGroupId, "a");
      equal(letter?.Attributes?.DeadLetterQueueSourceArn, await source.arn());
      equal(letter?.MessageAttributes?.["tag"]?.StringValue, "value");
    },
  },
  {
    title: "gives a letter its MessageId for a de-duplication id",
    async ask(at) {
      const pair = await at.pair(1);
      const { MessageId } = await pair.source.send("a0");
      equal((await letterOf(pair))?.Attributes?.MessageDeduplicationId, MessageId);
    },
  },
  {
    title: "counts the receives of a letter on from those of its message",
    async ask(at) {
      const pair = await at.pair(1);
      await pair.source.send("a0");
      equal((await letterOf(pair))?.Attributes?.ApproximateReceiveCount, "2");
    },
  },
  {
    title: "moves a group in its order",
    async ask(at) {
      const { source, letters } = await at.pair(1, { VisibilityTimeout: "1" });
      for (const body of ["a0", "a1", "a2", "a3"]) await source.send(body);
      await source.receive();
      await delay(1400);
      equal(bodiesOf(await source.receive()), "");
      equal(bodiesOf(await letters.receive()), "a0 a1 a2 a3");
    },
  },
  {
    title: "goes on with a group whose head has moved",
    async ask(at) {
      const { source, letters } = await at.pair(2, { VisibilityTimeout: "30" });
      for (const body of ["a0", "a1", "a2"]) await source.send(body);
      for (let n = 0; n < 2; n += 1) {
        const [head] = await source.receive({ MaxNumberOfMessages: 1 });
        await source.hide(head, 0);
      }
      equal(bodiesOf(await source.receive()), "a1 a2");
      equal(bodiesOf(await letters.receive()), "a0");
    },
  },
  {
    title: "lists the queues that send letters to one",
    async ask(at) {
      const { source, letters } = await at.pair(2);
      const asked = new ListDeadLetterSourceQueuesCommand({ QueueUrl: letters.url });
      deepEqual((await at.sdk.send(asked)).queueUrls, [source.url]);
    },
  },
  {
    title: "takes a count of receives as text",
    ask: async (at) => equal(await codeOf(at.pair("2")), "accepted"),
  },
  ...[0, 1001].map((count) =>
    refuses(`refuses a letter after ${count} receives`, ANY, (at) => at.pair(count)),
  ),
  refuses("refuses a standard queue for the letters of a FIFO queue", ANY, async (at) => {
    const letters = await at.queue({}, "-standard");
    await at.queue({ RedrivePolicy: redrivePolicy(await letters.arn(), 3) });
  }),
  refuses("refuses a dead-letter queue that does not exist", ANY, async (at) => {
    const arn = (await (await at.queue()).arn()).replace(/[^:]+$/, "nowhere.fifo");
    await at.queue({ RedrivePolicy: redrivePolicy(arn, 3) });
  }),
  refuses("refuses a redrive policy that is no JSON", "InvalidParameterValue", (at) =>
    at.queue({ RedrivePolicy: "{no" }),
  ),
  refuses("refuses a source that the dead-letter queue does not allow", ANY, async (at) => {
    const RedriveAllowPolicy = JSON.stringify({ redrivePermission: "denyAll" });
    const letters = await at.queue({ RedriveAllowPolicy });
    await at.queue({ RedrivePolicy: redrivePolicy(await letters.arn(), 3) });
  }),
  {
    title: "tells the redrive policy as it was given",
    async ask(at) {
      const { source, letters } = await at.pair(7);
      const { RedrivePolicy = "" } = await source.attributes();
      match(RedrivePolicy, /"maxReceiveCount":\s*"?7"?/);
      equal(JSON.parse(RedrivePolicy).deadLetterTargetArn, await letters.arn());
    },
  },
];

/** What becomes of the one message of a source that allows one receive. */
async function letterOf({ source, letters }: Pair) {
  for (let n = 0; n < 2; n += 1) await source.receive();
  return (await letters.receive())[0];
}
