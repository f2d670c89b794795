import { createHash } from "node:crypto";
import { ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attributesMd5 } from "../../../local/sqs/message-attributes.ts";
import { type Sqs, startSqs } from "../../../local/sqs/server.ts";
import { type QueueClient, queueClient } from "./queue-client.ts";

let sqs: Sqs;
let client: QueueClient;

beforeAll(async () => {
  sqs = await startSqs();
  client = queueClient(sqs.url);
});

afterAll(() => sqs.close());

const ATTRIBUTES = {
  name: { DataType: "String", StringValue: "Zoë" },
  level: { DataType: "Number", StringValue: "42.5" },
  bytes: { DataType: "Binary", BinaryValue: new Uint8Array([0, 255, 7]) },
  "game.id": { DataType: "String.uuid", StringValue: "g1" },
};

async function queueWithAttributes(): Promise<string> {
  const queue = await client.createQueue();
  await client.send(queue, "a", { MessageAttributes: ATTRIBUTES });
  return queue;
}

describe("message attributes", () => {
  it("come back as they were sent, in a digest that the SDK and we agree on", async () => {
    const queue = await client.createQueue();
    const sent = await client.send(queue, "bödy", { MessageAttributes: ATTRIBUTES });
    const [message] = await client.receive(queue);
    expect(message?.MessageAttributes).toEqual(ATTRIBUTES);
    expect(message?.MD5OfMessageAttributes).toBe(sent.MD5OfMessageAttributes);
    expect(message?.MD5OfBody).toBe(createHash("md5").update("bödy").digest("hex"));
  });

  it("have the digest that AWS documents: sized names, types and values in order of name", () => {
    const sized = (text: string): Buffer => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(text));
      return Buffer.concat([length, Buffer.from(text)]);
    };
    const expected = createHash("md5")
      .update(Buffer.concat([sized("a"), sized("Binary"), Buffer.from([2]), sized("xy")]))
      .update(Buffer.concat([sized("b"), sized("String"), Buffer.from([1]), sized("v")]))
      .digest("hex");
    const digest = attributesMd5({
      b: { DataType: "String", StringValue: "v" },
      a: { DataType: "Binary", BinaryValue: Buffer.from("xy").toString("base64") },
    });
    expect(digest).toBe(expected);
  });

  it("come only if they are asked for", async () => {
    const queue = await queueWithAttributes();
    const { Messages } = await client.sdk.send(new ReceiveMessageCommand({ QueueUrl: queue }));
    expect(Messages?.[0]).not.toHaveProperty("Attributes");
    expect(Messages?.[0]).not.toHaveProperty("MessageAttributes");
    expect(Messages?.[0]).not.toHaveProperty("MD5OfMessageAttributes");
  });

  it.each([
    { asked: ["game.*"], names: ["game.id"] },
    { asked: ["level", "name"], names: ["level", "name"] },
    { asked: ["other"], names: [] },
    { asked: ["All"], names: ["bytes", "game.id", "level", "name"] },
  ])("are $names where $asked is asked for, with the digest of those", async ({ asked, names }) => {
    const queue = await queueWithAttributes();
    const [message] = await client.receive(queue, { MessageAttributeNames: asked });
    expect(Object.keys(message?.MessageAttributes ?? {}).sort()).toEqual(names);
    expect(message?.MD5OfMessageAttributes === undefined).toBe(names.length === 0);
  });

  it.each([
    { attributes: { k: { DataType: "String", StringValue: "" } }, why: "its value is empty" },
    { attributes: { k: { DataType: "Text", StringValue: "v" } }, why: "its type is unknown" },
    { attributes: { k: { DataType: "Number", StringValue: "v" } }, why: "it is no number" },
    {
      attributes: { k: { DataType: "String", StringValue: "\u0001" } },
      why: "it holds a refused character",
    },
    {
      attributes: { "AWS.k": { DataType: "String", StringValue: "v" } },
      why: "its name is reserved",
    },
    { attributes: { "a b": { DataType: "String", StringValue: "v" } }, why: "of its name" },
  ])("are refused if one is wrong: $why", async ({ attributes }) => {
    const queue = await client.createQueue();
    await expect(client.send(queue, "a", { MessageAttributes: attributes })).rejects.toMatchObject({
      name: "InvalidParameterValue",
    });
  });

  it("are refused from the eleventh on", async () => {
    const queue = await client.createQueue();
    const entries = Array.from({ length: 11 }, (_, n) => [
      `k${n}`,
      { DataType: "String", StringValue: "v" },
    ]);
    await client.send(queue, "a", { MessageAttributes: Object.fromEntries(entries.slice(1)) });
    await expect(
      client.send(queue, "a", { MessageAttributes: Object.fromEntries(entries) }),
    ).rejects.toMatchObject({ name: "InvalidParameterValue" });
  });
});

describe("system attributes", () => {
  it("tell all of a message if `All` is asked for", async () => {
    const queue = await client.createQueue({ VisibilityTimeout: "0" });
    const before = Date.now();
    const sent = await client.send(queue, "a", { MessageDeduplicationId: "d" });
    const [message] = await client.receive(queue);
    const attributes = message?.Attributes ?? {};
    expect(Object.keys(attributes).sort()).toEqual([
      "ApproximateFirstReceiveTimestamp",
      "ApproximateReceiveCount",
      "MessageDeduplicationId",
      "MessageGroupId",
      "SenderId",
      "SentTimestamp",
      "SequenceNumber",
    ]);
    expect(attributes).toMatchObject({
      ApproximateReceiveCount: "1",
      MessageDeduplicationId: "d",
      MessageGroupId: "a",
      SequenceNumber: sent.SequenceNumber,
    });
    expect(Number(attributes.SentTimestamp)).toBeGreaterThanOrEqual(before);
    expect(Number(attributes.SentTimestamp)).toBeLessThanOrEqual(Date.now());
  });

  it("keep the first time of receiving and of sending while the count grows", async () => {
    const queue = await client.createQueue({ VisibilityTimeout: "0" });
    await client.send(queue, "a");
    const [first] = await client.receive(queue);
    const firstMs = Number(first?.Attributes?.ApproximateFirstReceiveTimestamp);
    await expect.poll(() => Date.now()).toBeGreaterThan(firstMs);
    const [second] = await client.receive(queue);
    expect(second?.Attributes).toEqual({ ...first?.Attributes, ApproximateReceiveCount: "2" });
  });

  it("are only those that are asked for, under the old and the new name of the list", async () => {
    const queue = await client.createQueue({ VisibilityTimeout: "0" });
    await client.send(queue, "a");
    const [message] = await client.receive(queue, {
      // The SDK types this list as attributes of queues, which SQS does not ask for here.
      AttributeNames: ["MessageGroupId" as "All"],
      MessageSystemAttributeNames: ["SequenceNumber"],
    });
    expect(Object.keys(message?.Attributes ?? {})).toEqual(["MessageGroupId", "SequenceNumber"]);
  });

  it("carry a trace header through", async () => {
    const queue = await client.createQueue();
    const StringValue = "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1";
    const sent = await client.send(queue, "a", {
      MessageSystemAttributes: { AWSTraceHeader: { DataType: "String", StringValue } },
    });
    expect(sent.MD5OfMessageSystemAttributes).toMatch(/^[0-9a-f]{32}$/);
    const [message] = await client.receive(queue);
    expect(message?.Attributes?.AWSTraceHeader).toBe(StringValue);
  });
});
