import { deepEqual, equal, match, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  type MessageAttributeValue,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
} from "@aws-sdk/client-sqs";
import type { Case } from "../case.ts";
import { md5OfAttributes } from "../md5-of-attributes.ts";
import { refuses } from "../refusal.ts";

const BYTES = new Uint8Array([0, 255, 7]);
const OWN = { "game.mode": { DataType: "String.name", StringValue: "ranked" } };
const MIXED: Record<string, MessageAttributeValue> = {
  text: { DataType: "String", StringValue: "héllo" },
  number: { DataType: "Number", StringValue: "42.5" },
  bytes: { DataType: "Binary", BinaryValue: BYTES },
  ...OWN,
};
const TRACE = "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1";

const SYSTEM = [
  ...["ApproximateFirstReceiveTimestamp", "ApproximateReceiveCount", "MessageDeduplicationId"],
  ...["MessageGroupId", "SenderId", "SentTimestamp", "SequenceNumber"],
];

/** What comes with a message: system attributes, the sender's own, digests. */
export const ATTRIBUTES: readonly Case[] = [
  {
    title: "gives all system attributes of a FIFO message",
    async ask(at) {
      const queue = await at.queue();
      const { SequenceNumber } = await queue.send("a0", { MessageDeduplicationId: "id" });
      const [message] = await queue.receive();
      const attributes = message?.Attributes ?? {};
      deepEqual(
        SYSTEM.filter((name) => !Object.hasOwn(attributes, name)),
        [],
      );
      equal(attributes.MessageGroupId, "a");
      equal(attributes.MessageDeduplicationId, "id");
      equal(attributes.SequenceNumber, SequenceNumber);
      ok(Math.abs(Date.now() - Number(attributes.SentTimestamp)) < 30_000);
    },
  },
  {
    title: "numbers messages by twenty rising digits",
    async ask(at) {
      const queue = await at.queue();
      const numbers: string[] = [];
      for (const body of ["a0", "b0", "a1", "b1"]) {
        numbers.push((await queue.send(body)).SequenceNumber ?? "");
      }
      for (const number of numbers) match(number, /^\d{20}$/);
      deepEqual(numbers, numbers.toSorted());
    },
  },
  {
    title: "answers the sequence number of each entry of a batch",
    async ask(at) {
      const queue = await at.queue();
      const Entries = ["a0", "a1"].map((body) => ({
        ...{ Id: body, MessageBody: body, MessageGroupId: "a", MessageDeduplicationId: body },
      }));
      const command = new SendMessageBatchCommand({ QueueUrl: queue.url, Entries });
      const { Successful = [] } = await at.sdk.send(command);
      equal(Successful.length, 2);
      for (const { SequenceNumber = "" } of Successful) match(SequenceNumber, /^\d{20}$/);
    },
  },
  {
    title: "keeps the time of the first receive and counts each one",
    async ask(at) {
      const queue = await at.queue({ VisibilityTimeout: "0" });
      await queue.send("a0");
      const [first] = await queue.receive();
      await delay(50);
      const [second] = await queue.receive();
      const times = [first, second].map((one) => one?.Attributes?.ApproximateFirstReceiveTimestamp);
      equal(times[0], times[1]);
      equal(first?.Attributes?.SentTimestamp, second?.Attributes?.SentTimestamp);
      equal(second?.Attributes?.ApproximateReceiveCount, "2");
    },
  },
  {
    title: "gives the named system attributes and no others",
    async ask(at) {
      const queue = await at.queue();
      await queue.send("a0");
      const MessageSystemAttributeNames = ["SequenceNumber", "MessageGroupId"] as const;
      const [message] = await queue.receive({
        MessageSystemAttributeNames: [...MessageSystemAttributeNames],
      });
      deepEqual(Object.keys(message?.Attributes ?? {}).toSorted(), [
        "MessageGroupId",
        "SequenceNumber",
      ]);
    },
  },
  {
    title: "takes the older name of the list of system attributes, too",
    async ask(at) {
      const queue = await at.queue();
      await queue.send("a0");
      const asked = new ReceiveMessageCommand({
        QueueUrl: queue.url,
        // The SDK takes both lists for attributes of queues.
        AttributeNames: JSON.parse('["MessageGroupId"]'),
      });
      const { Messages: [message] = [] } = await at.sdk.send(asked);
      deepEqual(message?.Attributes, { MessageGroupId: "a" });
    },
  },
  {
    title: "gives no attributes where none are asked for",
    async ask(at) {
      const queue = await at.queue();
      await queue.send("a0", { MessageAttributes: OWN });
      const asked = new ReceiveMessageCommand({ QueueUrl: queue.url });
      const { Messages: [message] = [] } = await at.sdk.send(asked);
      deepEqual([message?.Attributes, message?.MessageAttributes], [undefined, undefined]);
    },
  },
  {
    title: "carries text, numbers and bytes, and answers their digests",
    async ask(at) {
      const queue = await at.queue();
      const sent = await queue.send("bödy", { MessageGroupId: "a", MessageAttributes: MIXED });
      const [message] = await queue.receive();
      equal(sent.MD5OfMessageAttributes, md5OfAttributes(MIXED));
      equal(message?.MD5OfMessageAttributes, md5OfAttributes(MIXED));
      equal(message?.MD5OfBody, createHash("md5").update("bödy").digest("hex"));
      const { text, bytes, "game.mode": mode } = message?.MessageAttributes ?? {};
      equal(text?.StringValue, "héllo");
      deepEqual([...(bytes?.BinaryValue ?? [])], [...BYTES]);
      equal(mode?.DataType, "String.name");
    },
  },
  {
    title: "gives the attributes below a prefix, and the digest of what it gives",
    async ask(at) {
      const queue = await at.queue();
      await queue.send("a0", { MessageAttributes: MIXED });
      const [message] = await queue.receive({ MessageAttributeNames: ["game.*"] });
      deepEqual(Object.keys(message?.MessageAttributes ?? {}), ["game.mode"]);
      equal(message?.MD5OfMessageAttributes, md5OfAttributes(OWN));
    },
  },
  {
    title: "carries the trace header",
    async ask(at) {
      const queue = await at.queue();
      const AWSTraceHeader = { DataType: "String", StringValue: TRACE };
      await queue.send("a0", { MessageSystemAttributes: { AWSTraceHeader } });
      const [message] = await queue.receive();
      equal(message?.Attributes?.AWSTraceHeader, TRACE);
    },
  },
  refuses("refuses eleven attributes", "InvalidParameterValue", async (at) => {
    const names = Array.from({ length: 11 }, (_, n) => `name-${n}`);
    const value = { DataType: "String", StringValue: "value" };
    const MessageAttributes = Object.fromEntries(names.map((name) => [name, value]));
    await (await at.queue()).send("a0", { MessageAttributes });
  }),
  refuses("refuses an empty attribute", "InvalidParameterValue", async (at) => {
    const MessageAttributes = { name: { DataType: "String", StringValue: "" } };
    await (await at.queue()).send("a0", { MessageAttributes });
  }),
];
