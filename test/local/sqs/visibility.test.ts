import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Sqs, startSqs } from "../../../local/sqs/server.ts";
import { bodiesOf, type QueueClient, queueClient } from "./queue-client.ts";

let sqs: Sqs;
let client: QueueClient;

beforeAll(async () => {
  sqs = await startSqs();
  client = queueClient(sqs.url);
});

afterAll(() => sqs.close());

async function briefQueue(...bodies: readonly string[]): Promise<string> {
  const queue = await client.createQueue({ VisibilityTimeout: "1" });
  for (const body of bodies) await client.send(queue, body);
  return queue;
}

function untilCounts(queue: string, counts: string): Promise<void> {
  return vi.waitFor(async () => expect(await client.countsOf(queue)).toBe(counts), {
    timeout: 4000,
    interval: 20,
  });
}

describe.concurrent("the visibility timeout", () => {
  it("brings messages back in order when it ends, without a receive, and counts on", async () => {
    const queue = await briefQueue("a0", "a1", "a2");
    await client.receive(queue, { MaxNumberOfMessages: 2 });
    await untilCounts(queue, "3/0/0");
    const again = await client.receive(queue);
    expect(bodiesOf(again)).toBe("a0 a1 a2");
    expect(again.map(({ Attributes }) => Attributes?.ApproximateReceiveCount)).toEqual([
      "2",
      "2",
      "1",
    ]);
  });

  it("leaves no gap where some of a batch were deleted", async () => {
    const queue = await briefQueue("a0", "a1", "a2", "a3", "a4");
    const taken = await client.receive(queue, { MaxNumberOfMessages: 4 });
    await client.remove(queue, taken[0]);
    await client.remove(queue, taken[2]);
    await untilCounts(queue, "3/0/0");
    expect(bodiesOf(await client.receive(queue))).toBe("a1 a3 a4");
  });

  it("holds the group as long as its oldest message was hidden longer", async () => {
    const queue = await briefQueue("a0", "a1", "a2");
    const [head] = await client.receive(queue, { MaxNumberOfMessages: 2 });
    await client.hide(queue, head, 3);
    await untilCounts(queue, "2/1/0");
    expect(bodiesOf(await client.receive(queue))).toBe("");
    const answer = await client.receive(queue, { WaitTimeSeconds: 10 });
    expect(bodiesOf(answer)).toBe("a0 a1 a2");
  });

  it("lets the messages before one that was hidden longer come back alone", async () => {
    const queue = await briefQueue("a0", "a1", "a2");
    const [, tail] = await client.receive(queue, { MaxNumberOfMessages: 2 });
    await client.hide(queue, tail, 60);
    await untilCounts(queue, "2/1/0");
    expect(bodiesOf(await client.receive(queue))).toBe("a0");
  });

  it("is what a receive asks for, 0 included, instead of the queue's", async () => {
    const queue = await client.createQueue({ VisibilityTimeout: "60" });
    await client.send(queue, "a0");
    expect(bodiesOf(await client.receive(queue, { VisibilityTimeout: 0 }))).toBe("a0");
    expect(bodiesOf(await client.receive(queue, { VisibilityTimeout: 1 }))).toBe("a0");
    await untilCounts(queue, "1/0/0");
  });

  it("delays every message of a queue with a delay, and what is behind it", async () => {
    const queue = await client.createQueue({ DelaySeconds: "1" });
    await client.send(queue, "a0");
    expect(await client.countsOf(queue)).toBe("0/0/1");
    expect(bodiesOf(await client.receive(queue))).toBe("");
    await untilCounts(queue, "1/0/0");
    await client.send(queue, "a1");
    expect(bodiesOf(await client.receive(queue))).toBe("a0");
  });

  it("delays a single message of a standard queue", async () => {
    const queue = await client.createQueue({}, "-delayed");
    const input = {
      MessageGroupId: undefined,
      MessageDeduplicationId: undefined,
      DelaySeconds: 900,
    };
    await client.send(queue, "late", input);
    await client.send(queue, "now", { ...input, DelaySeconds: 0 });
    expect(bodiesOf(await client.receive(queue))).toBe("now");
    expect(await client.countsOf(queue)).toBe("0/1/1");
  });
});

describe.concurrent("a receipt handle", () => {
  it("of a FIFO queue is refused once its timeout has ended", async () => {
    const queue = await briefQueue("a0");
    const [message] = await client.receive(queue);
    await untilCounts(queue, "1/0/0");
    const expired = {
      name: "InvalidParameterValue",
      message: expect.stringMatching(/Reason: The receipt handle has expired\.$/),
    };
    await expect(client.remove(queue, message)).rejects.toMatchObject(expired);
    await expect(client.hide(queue, message, 5)).rejects.toMatchObject(expired);
    expect(bodiesOf(await client.receive(queue))).toBe("a0");
  });

  it("of an earlier receive deletes nothing", async () => {
    const queue = await briefQueue("a0");
    const [stale] = await client.receive(queue);
    await untilCounts(queue, "1/0/0");
    await client.receive(queue, { VisibilityTimeout: 60 });
    await expect(client.remove(queue, stale)).rejects.toMatchObject({
      name: "InvalidParameterValue",
    });
    expect(await client.countsOf(queue)).toBe("0/1/0");
  });

  it("of a standard queue deletes after its timeout too, unless there was another receive", async () => {
    const queue = await client.createQueue({ VisibilityTimeout: "0" }, "-handles");
    await client.send(queue, "a", {
      MessageGroupId: undefined,
      MessageDeduplicationId: undefined,
    });
    const [stale] = await client.receive(queue);
    const [last] = await client.receive(queue);
    await client.remove(queue, stale);
    expect(await client.countsOf(queue)).toBe("1/0/0");
    await client.remove(queue, last);
    expect(await client.countsOf(queue)).toBe("0/0/0");
  });

  it("deletes twice without an error, but gives no more time to what is gone", async () => {
    const queue = await client.createQueue();
    await client.send(queue, "a0");
    const [message] = await client.receive(queue);
    await client.remove(queue, message);
    await expect(client.remove(queue, message)).resolves.toBeUndefined();
    await expect(client.hide(queue, message, 5)).rejects.toMatchObject({
      name: "InvalidParameterValue",
    });
  });

  it("is refused by any other queue, and so is nonsense", async () => {
    const [one, other] = [await client.createQueue(), await client.createQueue()];
    await client.send(one, "a0");
    const [message] = await client.receive(one);
    const invalid = { name: "ReceiptHandleIsInvalid" };
    await expect(client.remove(other, message)).rejects.toMatchObject(invalid);
    const nonsense = { ReceiptHandle: "nonsense" };
    await expect(client.remove(one, nonsense)).rejects.toMatchObject(invalid);
    await expect(client.hide(one, nonsense, 1)).rejects.toMatchObject(invalid);
  });
});

describe("a ReceiveRequestAttemptId", () => {
  it("brings the same messages again, with the same handles", async () => {
    const queue = await client.createQueue();
    for (const body of ["a0", "a1", "a2"]) await client.send(queue, body);
    const input = { MaxNumberOfMessages: 2, ReceiveRequestAttemptId: "attempt" };
    const first = await client.receive(queue, input);
    const second = await client.receive(queue, input);
    expect(bodiesOf(second)).toBe("a0 a1");
    expect(second[0]?.ReceiptHandle).toBe(first[0]?.ReceiptHandle);
    expect(second[0]?.Attributes?.ApproximateReceiveCount).toBe("1");
  });

  it("is forgotten once one of its messages was deleted", async () => {
    const queue = await client.createQueue();
    for (const body of ["a0", "b0", "c0"]) await client.send(queue, body);
    const input = { MaxNumberOfMessages: 2, ReceiveRequestAttemptId: "attempt" };
    const [message] = await client.receive(queue, input);
    await client.remove(queue, message);
    expect(bodiesOf(await client.receive(queue, input))).toBe("c0");
  });
});
