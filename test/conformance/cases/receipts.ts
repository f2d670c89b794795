import { deepEqual, equal } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Message } from "@aws-sdk/client-sqs";
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
} from "@aws-sdk/client-sqs";
import type { Case } from "../case.ts";
import { ANY, codeOf, refuses } from "../refusal.ts";
import { bodiesOf, type Queue, type SqsAt } from "../sqs-at.ts";

const GARBAGE: Message = { ReceiptHandle: "garbage" };

type Held = { readonly queue: Queue; readonly message: Message | undefined };

async function held(at: SqsAt, attributes: Readonly<Record<string, string>> = {}): Promise<Held> {
  const queue = await at.queue(attributes);
  await queue.send("a0");
  const [message] = await queue.receive();
  return { queue, message };
}

async function expired(at: SqsAt): Promise<Held> {
  const found = await held(at, { VisibilityTimeout: "1" });
  await delay(1400);
  return found;
}

/** What a receipt is good for, and how long. */
export const RECEIPTS: readonly Case[] = [
  refuses("refuses a deletion by an expired receipt", "InvalidParameterValue", async (at) => {
    const { queue, message } = await expired(at);
    await queue.remove(message);
  }),
  refuses("refuses to change a visibility that has run out", ANY, async (at) => {
    const { queue, message } = await expired(at);
    await queue.hide(message, 5);
  }),
  {
    title: "deletes nothing by a receipt that a later one has replaced",
    async ask(at) {
      const { queue, message } = await expired(at);
      await queue.receive();
      await codeOf(queue.remove(message));
      await delay(1400);
      equal(bodiesOf(await queue.receive()), "a0");
    },
  },
  {
    title: "deletes twice by one receipt without a complaint",
    async ask(at) {
      const { queue, message } = await held(at);
      await queue.remove(message);
      equal(await codeOf(queue.remove(message)), "accepted");
    },
  },
  refuses("refuses to delete by what is no receipt", "ReceiptHandleIsInvalid", async (at) => {
    await (await at.queue()).remove(GARBAGE);
  }),
  refuses("refuses to hide by what is no receipt", "ReceiptHandleIsInvalid", async (at) => {
    await (await at.queue()).hide(GARBAGE, 1);
  }),
  refuses("refuses the receipt of another queue", ANY, async (at) => {
    const { message } = await held(at);
    await (await at.queue()).remove(message);
  }),
  refuses("refuses to hide a message that is deleted", ANY, async (at) => {
    const { queue, message } = await held(at);
    await queue.remove(message);
    await queue.hide(message, 5);
  }),
  refuses("refuses to hide for more than twelve hours", "InvalidParameterValue", async (at) => {
    const { queue, message } = await held(at);
    await queue.hide(message, 43_201);
  }),
  {
    title: "deletes what it can of a batch and names the receipt that is none",
    async ask(at) {
      const { queue, message } = await held(at);
      const Entries = [message, GARBAGE].map((one, n) => ({
        ...{ Id: `e${n}`, ReceiptHandle: one?.ReceiptHandle },
      }));
      const command = new DeleteMessageBatchCommand({ QueueUrl: queue.url, Entries });
      const { Successful = [], Failed = [] } = await at.sdk.send(command);
      deepEqual(
        [Successful.map(({ Id }) => Id), Failed.map(({ Code }) => Code)],
        [["e0"], ["ReceiptHandleIsInvalid"]],
      );
    },
  },
  {
    title: "hides what it can of a batch and names the receipt that is none",
    async ask(at) {
      const { queue, message } = await held(at);
      const Entries = [message, GARBAGE].map((one, n) => ({
        ...{ Id: `e${n}`, ReceiptHandle: one?.ReceiptHandle, VisibilityTimeout: 0 },
      }));
      const command = new ChangeMessageVisibilityBatchCommand({ QueueUrl: queue.url, Entries });
      const { Successful = [], Failed = [] } = await at.sdk.send(command);
      deepEqual(
        [Successful.map(({ Id }) => Id), Failed.map(({ Code }) => Code)],
        [["e0"], ["ReceiptHandleIsInvalid"]],
      );
    },
  },
];
