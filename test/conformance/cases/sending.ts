import { equal } from "node:assert/strict";
import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SendMessageCommandInput,
} from "@aws-sdk/client-sqs";
import type { Case } from "../case.ts";
import { ANY, refuses } from "../refusal.ts";
import type { SqsAt } from "../sqs-at.ts";

const MEBIBYTE = 1_048_576;

type Refused = {
  readonly title: string;
  readonly code: string;
  readonly body?: string;
  readonly input?: Partial<SendMessageCommandInput>;
  readonly queue?: Readonly<Record<string, string>>;
};

const INVALID = "InvalidParameterValue";
const SMALL = { MaximumMessageSize: "1024" };
const TAG = { tag: { DataType: "String", StringValue: "v".repeat(100) } };

const REFUSED: readonly Refused[] = [
  ...[{ title: "no group", code: "MissingParameter", input: { MessageGroupId: undefined } }],
  { title: "no id", code: INVALID, input: { MessageDeduplicationId: undefined } },
  { title: "a group of 129 characters", code: INVALID, input: { MessageGroupId: "a".repeat(129) } },
  { title: "a space in the group", code: INVALID, input: { MessageGroupId: "a b" } },
  {
    title: "an id of 129 characters",
    code: INVALID,
    input: { MessageDeduplicationId: "a".repeat(129) },
  },
  { title: "a space in the id", code: INVALID, input: { MessageDeduplicationId: "a b" } },
  { title: "a delay of its own", code: INVALID, input: { DelaySeconds: 5 } },
  {
    title: "an empty body",
    code: ANY,
    body: "",
    input: { MessageGroupId: "a" },
  },
  { title: "a control character", code: "InvalidMessageContents", body: "a\u0001b" },
  { title: "a mebibyte and a byte", code: INVALID, body: "a".repeat(MEBIBYTE + 1) },
  { title: "more than the queue's own limit", code: INVALID, body: "a".repeat(1025), queue: SMALL },
  {
    title: "attributes that make it larger than the queue's own limit",
    ...{ code: INVALID, body: "a".repeat(1000), input: { MessageAttributes: TAG }, queue: SMALL },
  },
];

type RefusedBatch = {
  readonly title: string;
  readonly code: string;
  readonly entries: readonly SendMessageBatchRequestEntry[];
};

const many = (length: number, body = "a") => Array.from({ length }, (_, n) => entry(`e${n}`, body));

const REFUSED_BATCHES: readonly RefusedBatch[] = [
  { title: "no entry", code: "EmptyBatchRequest", entries: [] },
  { title: "eleven entries", code: "TooManyEntriesInBatchRequest", entries: many(11) },
  {
    title: "one entry id twice",
    code: "BatchEntryIdsNotDistinct",
    entries: [entry("e"), entry("e")],
  },
  {
    title: "an entry id of other characters",
    code: "InvalidBatchEntryId",
    entries: [entry("a b!")],
  },
  {
    title: "more than a mebibyte in sum",
    code: "BatchRequestTooLong",
    entries: many(10, "a".repeat(110_000)),
  },
  {
    title: "an entry without a group, whole",
    ...{ code: INVALID, entries: [entry("e0"), { ...entry("e1"), MessageGroupId: undefined }] },
  },
];

/** What SQS takes and what it refuses to take. */
export const SENDING: readonly Case[] = [
  ...REFUSED.map(({ title, code, body = "a0", input = {}, queue = {} }) =>
    refuses(`refuses a message with ${title}`, code, async (at) =>
      (await at.queue(queue)).send(body, input),
    ),
  ),
  ...REFUSED_BATCHES.map(({ title, code, entries }) =>
    refuses(`refuses a batch with ${title}`, code, async (at) => {
      await sendBatch(at, (await at.queue()).url, entries);
    }),
  ),
  {
    title: "carries a mebibyte",
    async ask(at) {
      const queue = await at.queue();
      await queue.send("a".repeat(MEBIBYTE));
      equal((await queue.receive())[0]?.Body?.length, MEBIBYTE);
    },
  },
  {
    title: "carries the characters that XML allows as they are",
    async ask(at) {
      const queue = await at.queue();
      const body = "a\t\n\r \ud7ff\ue000\ufffd\u{10000}\u{10ffff}";
      await queue.send(body);
      equal((await queue.receive())[0]?.Body, body);
    },
  },
  {
    title: "sends the other entries of a batch where one is too long for the queue",
    async ask(at) {
      const queue = await at.queue(SMALL);
      const sent = await sendBatch(at, queue.url, [entry("e0", "a".repeat(2000)), entry("e1")]);
      equal(sent.Successful?.length, 1);
      equal(sent.Failed?.[0]?.Code?.replace(/Exception$/, ""), "InvalidParameterValue");
    },
  },
];

function entry(Id: string, body = "a"): SendMessageBatchRequestEntry {
  return {
    Id,
    MessageBody: body,
    MessageGroupId: "a",
    MessageDeduplicationId: `${Id.length}-${Id.at(-1)}`,
  };
}

function sendBatch(at: SqsAt, QueueUrl: string, entries: readonly SendMessageBatchRequestEntry[]) {
  return at.sdk.send(new SendMessageBatchCommand({ QueueUrl, Entries: [...entries] }));
}
