import { deepEqual, equal, match } from "node:assert/strict";
import {
  AddPermissionCommand,
  CreateQueueCommand,
  ListQueuesCommand,
  ListQueueTagsCommand,
  PurgeQueueCommand,
  RemovePermissionCommand,
  SetQueueAttributesCommand,
  TagQueueCommand,
  UntagQueueCommand,
} from "@aws-sdk/client-sqs";
import type { Case } from "../case.ts";
import { codeOf } from "../refusal.ts";
import { bodiesOf } from "../sqs-at.ts";

const FIFO = { FifoQueue: "true" };

/** Queues themselves: their attributes, policies and tags. */
export const QUEUES: readonly Case[] = [
  {
    title: "gives new queues a mebibyte, thirty seconds and four days",
    async ask(at) {
      const { MaximumMessageSize, VisibilityTimeout, MessageRetentionPeriod } = await (
        await at.queue()
      ).attributes();
      deepEqual(
        [MaximumMessageSize, VisibilityTimeout, MessageRetentionPeriod],
        ["1048576", "30", "345600"],
      );
    },
  },
  {
    title: "creates a queue of the same attributes once, and refuses others",
    async ask(at) {
      const QueueName = at.newName();
      const create = (VisibilityTimeout: string) =>
        at.sdk.send(
          new CreateQueueCommand({ QueueName, Attributes: { ...FIFO, VisibilityTimeout } }),
        );
      const [first, second] = [await create("10"), await create("10")];
      equal(second.QueueUrl, first.QueueUrl);
      match(await codeOf(create("11")), /^(QueueNameExists|QueueAlreadyExists)$/);
    },
  },
  {
    title: "names the error of older SDKs beside the answer to a missing queue",
    async ask(at) {
      const QueueUrl = (await at.queue()).url.replace(/[^/]+$/, "nowhere.fifo");
      const answer = await fetch(at.endpoint, {
        method: "POST",
        headers: {
          "content-type": "application/x-amz-json-1.0",
          "x-amz-target": "AmazonSQS.GetQueueAttributes",
          "x-amzn-query-mode": "true",
          authorization:
            "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=none",
        },
        body: JSON.stringify({ QueueUrl }),
      });
      equal(
        answer.headers.get("x-amzn-query-error"),
        "AWS.SimpleQueueService.NonExistentQueue;Sender",
      );
      match(await answer.text(), /QueueDoesNotExist/);
    },
  },
  {
    title: "empties a queue, and refuses to do so twice within a minute",
    async ask(at) {
      const queue = await at.queue();
      await queue.send("a0");
      const purge = () => at.sdk.send(new PurgeQueueCommand({ QueueUrl: queue.url }));
      await purge();
      equal(bodiesOf(await queue.receive()), "");
      equal(await codeOf(purge()), "PurgeQueueInProgress");
    },
  },
  {
    title: "keeps a queue's policy",
    async ask(at) {
      const queue = await at.queue();
      const Principal = "*";
      const Condition = { Bool: { "aws:SecureTransport": "false" } };
      const denied = { Sid: "Tls", Effect: "Deny", Principal, Action: "sqs:*", Condition };
      const statement = { ...denied, Resource: await queue.arn() };
      const policy = { Version: "2012-10-17", Statement: [statement] };
      const Attributes = { Policy: JSON.stringify(policy) };
      await at.sdk.send(new SetQueueAttributesCommand({ QueueUrl: queue.url, Attributes }));
      deepEqual(JSON.parse((await queue.attributes())["Policy"] ?? "{}"), policy);
    },
  },
  {
    title: "adds a permission to the policy and removes it",
    async ask(at) {
      const queue = await at.queue();
      const named = { QueueUrl: queue.url, Label: "Other" };
      const AWSAccountIds = ["111122223333"];
      await at.sdk.send(
        new AddPermissionCommand({ ...named, AWSAccountIds, Actions: ["SendMessage"] }),
      );
      match((await queue.attributes())["Policy"] ?? "", /111122223333/);
      await at.sdk.send(new RemovePermissionCommand(named));
    },
  },
  {
    title: "keeps, adds and removes tags",
    async ask(at) {
      const QueueName = at.newName();
      const { QueueUrl } = await at.sdk.send(
        new CreateQueueCommand({ QueueName, Attributes: FIFO, tags: { a: "1", b: "2" } }),
      );
      await at.sdk.send(new UntagQueueCommand({ QueueUrl, TagKeys: ["a"] }));
      await at.sdk.send(new TagQueueCommand({ QueueUrl, Tags: { c: "3" } }));
      const { Tags } = await at.sdk.send(new ListQueueTagsCommand({ QueueUrl }));
      deepEqual({ ...Tags }, { b: "2", c: "3" });
    },
  },
  {
    title: "tells how a queue is encrypted",
    async ask(at) {
      const byKey = await at.queue({ KmsMasterKeyId: "alias/aws/sqs" });
      const bySqs = await at.queue({ SqsManagedSseEnabled: "true" });
      equal((await byKey.attributes())["KmsMasterKeyId"], "alias/aws/sqs");
      equal((await bySqs.attributes())["SqsManagedSseEnabled"], "true");
    },
  },
  {
    title: "lists the queues of a prefix in pages",
    async ask(at) {
      const QueueNamePrefix = at.newName("-list");
      for (const letter of ["a", "b", "c"]) {
        await at.sdk.send(new CreateQueueCommand({ QueueName: `${QueueNamePrefix}-${letter}` }));
      }
      const page = { QueueNamePrefix, MaxResults: 2 };
      const first = await at.sdk.send(new ListQueuesCommand(page));
      const rest = await at.sdk.send(
        new ListQueuesCommand({ ...page, NextToken: first.NextToken }),
      );
      deepEqual([first.QueueUrls?.length, rest.QueueUrls?.length], [2, 1]);
    },
  },
];
