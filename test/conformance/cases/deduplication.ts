import { deepEqual, equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import type { Case } from "../case.ts";
import { ANY, refuses } from "../refusal.ts";
import { gives, removes, script, sends } from "../script.ts";
import { bodiesOf } from "../sqs-at.ts";

const PER_GROUP = { DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" };
const BY_CONTENT = { ContentBasedDeduplication: "true" };

/** Which message is a duplicate of which. Memory of five minutes is not waited for. */
export const DEDUPLICATION: readonly Case[] = [
  script("drops a second message of one id", [sends("a0 a0", "id"), gives("a0")]),
  script("remembers an id when its message is deleted", [
    ...[sends("a0", "id"), gives("a0"), removes("a0"), sends("a0", "id"), gives("")],
  ]),
  script("takes another body under a known id without giving it", [
    ...[sends("a0 a1", "id"), gives("a0")],
  ]),
  script("takes one id in two groups for one message, queue-wide", [
    ...[sends("a0 b0", "id"), gives("a0")],
  ]),
  script(
    "takes one id in two groups for two messages where the scope is the group",
    [...[sends("a0 b0 a0", "id"), gives("a0 b0")]],
    PER_GROUP,
  ),
  {
    title: "answers a duplicate with the first one's MessageId and SequenceNumber",
    async ask(at) {
      const queue = await at.queue();
      const send = () => queue.send("a0", { MessageDeduplicationId: "id" });
      const [first, second] = [await send(), await send()];
      equal(second.MessageId, first.MessageId);
      equal(second.SequenceNumber, first.SequenceNumber);
    },
  },
  {
    title: "drops a duplicate within one batch and answers both",
    async ask(at) {
      const queue = await at.queue();
      const Entries = ["e0", "e1"].map((Id) => ({
        ...{ Id, MessageBody: "a0", MessageGroupId: "a", MessageDeduplicationId: "id" },
      }));
      const command = new SendMessageBatchCommand({ QueueUrl: queue.url, Entries });
      equal((await at.sdk.send(command)).Successful?.length, 2);
      equal(bodiesOf(await queue.receive()), "a0");
    },
  },
  {
    title: "takes the body's SHA-256 for an id, attributes aside, where the queue says so",
    async ask(at) {
      const queue = await at.queue(BY_CONTENT);
      const none = { MessageDeduplicationId: undefined };
      const MessageAttributes = { name: { DataType: "String", StringValue: "value" } };
      await queue.send("a0", none);
      await queue.send("a0", { ...none, MessageAttributes });
      await queue.send("a1", none);
      const messages = await queue.receive();
      equal(bodiesOf(messages), "a0 a1");
      const hash = createHash("sha256").update("a0").digest("hex");
      equal(messages[0]?.Attributes?.MessageDeduplicationId, hash);
    },
  },
  {
    title: "tells the scope and the limit that a queue was made with",
    async ask(at) {
      const { DeduplicationScope, FifoThroughputLimit } = await (
        await at.queue(PER_GROUP)
      ).attributes();
      deepEqual({ DeduplicationScope, FifoThroughputLimit }, PER_GROUP);
    },
  },
  refuses("refuses a limit per group where ids are known queue-wide", ANY, (at) =>
    at.queue({ ...PER_GROUP, DeduplicationScope: "queue" }),
  ),
];
