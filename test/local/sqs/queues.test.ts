import {
  AddPermissionCommand,
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  ListQueueTagsCommand,
  PurgeQueueCommand,
  RemovePermissionCommand,
  SetQueueAttributesCommand,
  TagQueueCommand,
  UntagQueueCommand,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Sqs, startSqs } from "../../../local/sqs/server.ts";
import { bodiesOf, type QueueClient, queueClient } from "./queue-client.ts";

let sqs: Sqs;
let client: QueueClient;

beforeAll(async () => {
  sqs = await startSqs({ region: "eu-west-1", accountId: "123456789012" });
  client = queueClient(sqs.url);
});

afterAll(() => sqs.close());

const create = (QueueName: string, Attributes: Readonly<Record<string, string>> = {}) =>
  client.sdk.send(new CreateQueueCommand({ QueueName, Attributes }));

describe("a queue", () => {
  it("has its URL on the listening host and its ARN in the given Region and account", async () => {
    const { QueueUrl = "" } = await create("grants.fifo", { FifoQueue: "true" });
    expect(QueueUrl).toBe(`${sqs.url}/123456789012/grants.fifo`);
    expect(await client.arnOf(QueueUrl)).toBe("arn:aws:sqs:eu-west-1:123456789012:grants.fifo");
    const found = await client.sdk.send(new GetQueueUrlCommand({ QueueName: "grants.fifo" }));
    expect(found.QueueUrl).toBe(QueueUrl);
  });

  it("has the defaults of SQS", async () => {
    expect(await client.attributesOf(await client.createQueue())).toMatchObject({
      VisibilityTimeout: "30",
      DelaySeconds: "0",
      MaximumMessageSize: "1048576",
      MessageRetentionPeriod: "345600",
      ReceiveMessageWaitTimeSeconds: "0",
      SqsManagedSseEnabled: "true",
      FifoQueue: "true",
      ContentBasedDeduplication: "false",
      DeduplicationScope: "queue",
      FifoThroughputLimit: "perQueue",
    });
    const standard = await client.attributesOf(await client.createQueue({}, "-defaults"));
    expect(standard).not.toHaveProperty("FifoQueue");
    expect(standard).not.toHaveProperty("DeduplicationScope");
  });

  it("may be created again as it is, but not as another", async () => {
    const first = await create("same", { VisibilityTimeout: "10" });
    const second = await create("same", { VisibilityTimeout: "10" });
    expect(second.QueueUrl).toBe(first.QueueUrl);
    await expect(create("same", { VisibilityTimeout: "11" })).rejects.toMatchObject({
      name: expect.stringMatching(/^Queue(NameExists|AlreadyExists)$/),
    });
  });

  it.each([
    { name: "no-suffix", attributes: { FifoQueue: "true" }, why: "a FIFO queue needs the suffix" },
    { name: "no-attribute.fifo", attributes: {}, why: "the suffix alone makes no FIFO queue" },
    { name: "bad name", attributes: {}, why: "of the space" },
    { name: "x".repeat(81), attributes: {}, why: "it is too long" },
  ])("is not created as `$name`: $why", async ({ name, attributes }) => {
    await expect(create(name, attributes)).rejects.toMatchObject({
      name: "InvalidParameterValue",
    });
  });

  it("is gone with its messages when deleted, and its name is barred for a minute", async () => {
    const queue = await client.createQueue();
    await client.send(queue, "a0");
    await client.sdk.send(new DeleteQueueCommand({ QueueUrl: queue }));
    await expect(client.receive(queue)).rejects.toMatchObject({ name: "QueueDoesNotExist" });
    const name = queue.slice(queue.lastIndexOf("/") + 1);
    await expect(create(name, { FifoQueue: "true" })).rejects.toMatchObject({
      name: expect.stringMatching(/QueueDeletedRecently$/),
    });
  });

  it("loses all messages to a purge, in flight ones too, once a minute", async () => {
    const queue = await client.createQueue();
    for (const body of ["a0", "a1", "b0"]) await client.send(queue, body);
    await client.receive(queue, { MaxNumberOfMessages: 1 });
    const purge = new PurgeQueueCommand({ QueueUrl: queue });
    await client.sdk.send(purge);
    expect(await client.countsOf(queue)).toBe("0/0/0");
    await client.send(queue, "a2");
    expect(bodiesOf(await client.receive(queue))).toBe("a2");
    await expect(client.sdk.send(purge)).rejects.toMatchObject({
      name: expect.stringMatching(/PurgeQueueInProgress$/),
      $metadata: { httpStatusCode: 403 },
    });
  });

  it("is listed by prefix, page by page", async () => {
    for (const n of [3, 1, 2]) await create(`listed-${n}`);
    const list = (NextToken?: string) =>
      client.sdk.send(
        new ListQueuesCommand({ QueueNamePrefix: "listed-", MaxResults: 2, NextToken }),
      );
    const first = await list();
    const second = await list(first.NextToken);
    const urls = [...(first.QueueUrls ?? []), ...(second.QueueUrls ?? [])];
    expect(first.QueueUrls).toHaveLength(2);
    expect(urls.map((url) => url.slice(-1))).toEqual(["1", "2", "3"]);
    expect(second.NextToken).toBeUndefined();
  });
});

describe("attributes of a queue", () => {
  const set = (QueueUrl: string, Attributes: Readonly<Record<string, string>>) =>
    client.sdk.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));

  it("are those asked for", async () => {
    const queue = await client.createQueue();
    const { Attributes } = await client.sdk.send(
      new GetQueueAttributesCommand({
        QueueUrl: queue,
        AttributeNames: ["QueueArn", "DelaySeconds"],
      }),
    );
    expect(Object.keys(Attributes ?? {}).sort()).toEqual(["DelaySeconds", "QueueArn"]);
  });

  it("change when set, for receives from then on", async () => {
    const queue = await client.createQueue({ VisibilityTimeout: "60" });
    await set(queue, { VisibilityTimeout: "0" });
    await client.send(queue, "a0");
    await client.receive(queue);
    expect(await client.countsOf(queue)).toBe("1/0/0");
  });

  it("lose a policy that is set to empty text", async () => {
    const { source, letters, lettersArn } = await client.createPair(1);
    await set(source, { RedrivePolicy: "" });
    await client.send(source, "a0");
    await client.receive(source);
    expect(bodiesOf(await client.receive(source))).toBe("a0");
    expect(await client.countsOf(letters)).toBe("0/0/0");
    expect(await client.attributesOf(source)).not.toHaveProperty("RedrivePolicy");
    expect(lettersArn).not.toBe("");
  });

  it("switch from SQS's encryption to a key", async () => {
    const queue = await client.createQueue({ KmsMasterKeyId: "alias/aws/sqs" });
    expect(await client.attributesOf(queue)).toMatchObject({
      KmsMasterKeyId: "alias/aws/sqs",
      SqsManagedSseEnabled: "false",
    });
  });

  it.each([
    { attributes: { Nope: "1" }, name: "InvalidAttributeName" },
    { attributes: { VisibilityTimeout: "43201" }, name: "InvalidAttributeValue" },
    { attributes: { VisibilityTimeout: "ten" }, name: "InvalidAttributeValue" },
    { attributes: { MessageRetentionPeriod: "59" }, name: "InvalidAttributeValue" },
    { attributes: { ContentBasedDeduplication: "yes" }, name: "InvalidAttributeValue" },
    { attributes: { FifoThroughputLimit: "perMessageGroupId" }, name: "InvalidParameterValue" },
    { attributes: { RedriveAllowPolicy: "{}" }, name: "InvalidParameterValue" },
  ])("are refused with $name: $attributes", async ({ attributes, name }) => {
    const present = await client.createQueue();
    await expect(set(present, attributes)).rejects.toMatchObject({ name });
    await expect(client.createQueue(attributes)).rejects.toMatchObject({ name });
  });

  it("of a FIFO queue are unknown to a standard queue, and unknown ones cannot be read", async () => {
    const unknown = { name: "InvalidAttributeName" };
    const attributes = { ContentBasedDeduplication: "true" };
    await expect(client.createQueue(attributes, "-fifo-only")).rejects.toMatchObject(unknown);
    const queue = await client.createQueue();
    const read = new GetQueueAttributesCommand({
      QueueUrl: queue,
      AttributeNames: ["Nope" as "All"],
    });
    await expect(client.sdk.send(read)).rejects.toMatchObject(unknown);
  });
});

describe("tags and permissions", () => {
  it("keep tags from creation on, until they are taken away", async () => {
    const { QueueUrl } = await client.sdk.send(
      new CreateQueueCommand({ QueueName: "tagged", tags: { game: "g1", team: "t1" } }),
    );
    await client.sdk.send(new UntagQueueCommand({ QueueUrl, TagKeys: ["game"] }));
    await client.sdk.send(new TagQueueCommand({ QueueUrl, Tags: { stage: "test" } }));
    const { Tags } = await client.sdk.send(new ListQueueTagsCommand({ QueueUrl }));
    expect(Tags).toEqual({ team: "t1", stage: "test" });
  });

  it("add a statement to the policy and remove it by its label", async () => {
    const queue = await client.createQueue();
    const add = new AddPermissionCommand({
      QueueUrl: queue,
      Label: "publisher",
      AWSAccountIds: ["111122223333"],
      Actions: ["SendMessage"],
    });
    await client.sdk.send(add);
    const { Policy = "" } = await client.attributesOf(queue);
    expect(JSON.parse(Policy).Statement).toMatchObject([
      {
        Sid: "publisher",
        Principal: { AWS: ["arn:aws:iam::111122223333:root"] },
        Action: ["SQS:SendMessage"],
      },
    ]);
    await expect(client.sdk.send(add)).rejects.toMatchObject({ name: "InvalidParameterValue" });
    const remove = new RemovePermissionCommand({ QueueUrl: queue, Label: "publisher" });
    await client.sdk.send(remove);
    expect(await client.attributesOf(queue)).not.toHaveProperty("Policy");
    await expect(client.sdk.send(remove)).rejects.toMatchObject({
      name: "InvalidParameterValue",
    });
  });
});
