import { ListDeadLetterSourceQueuesCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Sqs, startSqs } from "../../../local/sqs/server.ts";
import { bodiesOf, type QueueClient, queueClient } from "./queue-client.ts";

let sqs: Sqs;
let client: QueueClient;

beforeAll(async () => {
  sqs = await startSqs();
  client = queueClient(sqs.url);
});

afterAll(() => sqs.close());

const ONE = { MaxNumberOfMessages: 1 };

describe("a redrive policy", () => {
  it("moves a message at the receive after the last allowed one, and the next takes its place", async () => {
    const { source, letters } = await client.createPair(2);
    await client.send(source, "a0");
    await client.send(source, "a1");
    const seen: string[] = [];
    for (let receive = 0; receive < 5; receive += 1) {
      const body = bodiesOf(await client.receive(source, ONE));
      seen.push(`${body} ${await client.countsOf(letters)}`);
    }
    expect(seen).toEqual(["a0 0/0/0", "a0 0/0/0", "a1 1/0/0", "a1 1/0/0", " 2/0/0"]);
  });

  it("leaves a message where it is until it is received again", async () => {
    const { source, letters } = await client.createPair(1);
    await client.send(source, "a0");
    await client.receive(source);
    expect(await client.countsOf(source)).toBe("1/0/0");
    expect(await client.countsOf(letters)).toBe("0/0/0");
  });

  it("keeps MessageId, group and attributes, counts receives on, and names the source", async () => {
    const { source, letters } = await client.createPair(1);
    const sent = await client.send(source, "a0", {
      MessageAttributes: { id: { DataType: "String", StringValue: "r1" } },
    });
    const [received] = await client.receive(source);
    await client.receive(source);
    const [letter] = await client.receive(letters);
    expect(letter).toMatchObject({
      MessageId: sent.MessageId,
      MessageAttributes: { id: { StringValue: "r1" } },
      Attributes: {
        ApproximateReceiveCount: "2",
        ApproximateFirstReceiveTimestamp: received?.Attributes?.ApproximateFirstReceiveTimestamp,
        MessageGroupId: "a",
        DeadLetterQueueSourceArn: await client.arnOf(source),
      },
    });
  });

  it("makes the MessageId the de-duplication id, and starts the time of sending anew", async () => {
    const { source, letters } = await client.createPair(1);
    const sent = await client.send(source, "a0", { MessageDeduplicationId: "original" });
    const [received] = await client.receive(source);
    const sentAt = Number(received?.Attributes?.SentTimestamp);
    await expect.poll(() => Date.now()).toBeGreaterThan(sentAt + 1);
    await client.receive(source);
    const [letter] = await client.receive(letters);
    expect(letter?.Attributes?.MessageDeduplicationId).toBe(sent.MessageId);
    expect(Number(letter?.Attributes?.SentTimestamp)).toBeGreaterThan(sentAt);
    expect(letter?.Attributes?.SequenceNumber).not.toBe(sent.SequenceNumber);
  });

  it("keeps the time of sending in a standard queue", async () => {
    const letters = await client.createQueue({}, "-letters");
    const source = await client.createQueue(
      {
        VisibilityTimeout: "0",
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: await client.arnOf(letters),
          maxReceiveCount: 1,
        }),
      },
      "-source",
    );
    await client.send(source, "a", {
      MessageGroupId: undefined,
      MessageDeduplicationId: undefined,
    });
    const [received] = await client.receive(source);
    const sentAt = Number(received?.Attributes?.SentTimestamp);
    await expect.poll(() => Date.now()).toBeGreaterThan(sentAt + 1);
    await client.receive(source);
    const [letter] = await client.receive(letters);
    expect(letter?.Attributes?.SentTimestamp).toBe(String(sentAt));
  });

  it("keeps the order of a group in the dead-letter queue", async () => {
    const { source, letters } = await client.createPair(1);
    const bodies = ["a0", "a1", "a2", "a3", "a4"];
    for (const body of bodies) await client.send(source, body);
    await client.receive(source);
    expect(bodiesOf(await client.receive(source))).toBe("");
    expect(bodiesOf(await client.receive(letters))).toBe(bodies.join(" "));
  });

  it("frees the rest of the group in the receive that moves its head", async () => {
    const { source, letters } = await client.createPair(2, { VisibilityTimeout: "30" });
    for (const body of ["a0", "a1", "a2"]) await client.send(source, body);
    for (let receive = 0; receive < 2; receive += 1) {
      const [head] = await client.receive(source, ONE);
      await client.hide(source, head, 0);
    }
    expect(bodiesOf(await client.receive(source))).toBe("a1 a2");
    expect(bodiesOf(await client.receive(letters))).toBe("a0");
  });

  it("wakes a poll on the dead-letter queue", async () => {
    const { source, letters } = await client.createPair(1);
    await client.send(source, "a0");
    await client.receive(source);
    const poll = client.receive(letters, { WaitTimeSeconds: 10 });
    await client.receive(source);
    expect(bodiesOf(await poll)).toBe("a0");
  });

  it("moves letters of one de-duplication id side by side", async () => {
    const { source, letters } = await client.createPair(1, {
      DeduplicationScope: "messageGroup",
      FifoThroughputLimit: "perMessageGroupId",
    });
    await client.send(source, "a", { MessageDeduplicationId: "same" });
    await client.send(source, "b", { MessageDeduplicationId: "same" });
    await client.receive(source);
    await client.receive(source);
    expect(await client.countsOf(letters)).toBe("2/0/0");
  });

  it("takes its count as text too, and is told to the dead-letter queue", async () => {
    const { source, letters } = await client.createPair("3");
    const list = new ListDeadLetterSourceQueuesCommand({ QueueUrl: letters });
    expect((await client.sdk.send(list)).queueUrls).toEqual([source]);
  });
});

describe("a redrive policy is refused", () => {
  it.each([
    { policy: "{nope", why: "it is not JSON" },
    { policy: '{"maxReceiveCount":3}', why: "it names no queue" },
    {
      policy:
        '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:none.fifo","maxReceiveCount":3}',
      why: "its queue does not exist",
    },
  ])("if $why", async ({ policy }) => {
    await expect(client.createQueue({ RedrivePolicy: policy })).rejects.toMatchObject({
      name: "InvalidParameterValue",
    });
  });

  it.each([0, 1001, 1.5])("with a maxReceiveCount of %d", async (maxReceiveCount) => {
    await expect(client.createPair(maxReceiveCount)).rejects.toMatchObject({
      name: "InvalidParameterValue",
      message: expect.stringContaining("valid values are from 1 to 1000"),
    });
  });

  it.each([
    { attributes: {}, suffix: "-plain", why: "the other queue is of another type" },
    {
      attributes: { RedriveAllowPolicy: '{"redrivePermission":"denyAll"}' },
      suffix: ".fifo",
      why: "the other queue allows none",
    },
    {
      attributes: {
        RedriveAllowPolicy:
          '{"redrivePermission":"byQueue","sourceQueueArns":["arn:aws:sqs:us-east-1:000000000000:friend.fifo"]}',
      },
      suffix: ".fifo",
      why: "the other queue allows only others",
    },
  ])("if $why", async ({ attributes, suffix }) => {
    const letters = await client.createQueue(attributes, suffix);
    const deadLetterTargetArn = await client.arnOf(letters);
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 3 });
    await expect(client.createQueue({ RedrivePolicy })).rejects.toMatchObject({
      name: "InvalidParameterValue",
    });
  });
});
