import { DeleteQueueCommand } from "@aws-sdk/client-sqs";
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

const LONG = { WaitTimeSeconds: 20 };

function elapsedMs(run: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  return run().then(() => performance.now() - startMs);
}

describe.concurrent("a long poll", () => {
  it("ends empty after its time, which may be the queue's", async () => {
    const queue = await client.createQueue();
    const slow = await client.createQueue({ ReceiveMessageWaitTimeSeconds: "1" });
    const times = await Promise.all([
      elapsedMs(() => client.receive(queue, { WaitTimeSeconds: 1 })),
      elapsedMs(() => client.receive(slow)),
    ]);
    for (const time of times) {
      expect(time).toBeGreaterThan(950);
      expect(time).toBeLessThan(3000);
    }
  });

  it("is woken by a message", async () => {
    const queue = await client.createQueue();
    const poll = client.receive(queue, LONG);
    await client.send(queue, "a0");
    expect(bodiesOf(await poll)).toBe("a0");
  });

  it("is woken when the group before it is deleted, or given back", async () => {
    const queue = await client.createQueue();
    for (const body of ["a0", "a1"]) await client.send(queue, body);
    const [head] = await client.receive(queue, { MaxNumberOfMessages: 1 });
    const returned = client.receive(queue, { ...LONG, MaxNumberOfMessages: 1 });
    await client.hide(queue, head, 0);
    const [again] = await returned;
    expect(again?.Body).toBe("a0");
    const next = client.receive(queue, LONG);
    await client.remove(queue, again);
    expect(bodiesOf(await next)).toBe("a1");
  });

  it("is woken by the end of a visibility timeout, with all that ended together", async () => {
    const queue = await client.createQueue({ VisibilityTimeout: "1" });
    for (const body of ["a0", "a1", "a2"]) await client.send(queue, body);
    await client.receive(queue);
    expect(bodiesOf(await client.receive(queue, LONG))).toBe("a0 a1 a2");
  });

  it("is woken by the end of a delay", async () => {
    const queue = await client.createQueue({ DelaySeconds: "1" });
    await client.send(queue, "a0");
    expect(bodiesOf(await client.receive(queue, LONG))).toBe("a0");
  });

  it("shares with others: each message goes to one of them", async () => {
    const queue = await client.createQueue();
    const polls = ["x", "y"].map(() => client.receive(queue, { ...LONG, MaxNumberOfMessages: 1 }));
    for (const body of ["a0", "b0"]) await client.send(queue, body);
    const bodies = (await Promise.all(polls)).map(bodiesOf);
    expect(bodies.sort()).toEqual(["a0", "b0"]);
  });

  it("ends when its queue is deleted", async () => {
    const queue = await client.createQueue();
    const poll = client.receive(queue, LONG);
    // The poll has arrived once this answer, asked for after it, is here.
    await client.countsOf(queue);
    await client.sdk.send(new DeleteQueueCommand({ QueueUrl: queue }));
    expect(await poll).toEqual([]);
  });

  it("takes no message with it when its client hangs up", async () => {
    const queue = await client.createQueue();
    const { emptyReceives: before = 0 } = sampleFor(queue) ?? {};
    const controller = new AbortController();
    const poll = client.receive(queue, LONG, controller.signal);
    const outcome = expect(poll).rejects.toMatchObject({ name: "AbortError" });
    await client.countsOf(queue);
    controller.abort();
    await outcome;
    // Dropped, the poll counts as an empty receive.
    await vi.waitFor(() => expect(sampleFor(queue)?.emptyReceives).toBe(before + 1), {
      timeout: 4000,
      interval: 10,
    });
    await client.send(queue, "a0");
    expect(await client.countsOf(queue)).toBe("1/0/0");
    expect(bodiesOf(await client.receive(queue))).toBe("a0");
  });
});

describe("a server", () => {
  it("closes at once while clients poll", async () => {
    const other = await startSqs();
    const otherClient = queueClient(other.url);
    const queue = await otherClient.createQueue();
    const poll = otherClient.receive(queue, LONG).catch((error: Error) => error);
    await otherClient.countsOf(queue);
    expect(await elapsedMs(() => other.close())).toBeLessThan(2000);
    expect(await poll).toBeInstanceOf(Error);
  });
});

function sampleFor(queueUrl: string) {
  return sqs.sample().find(({ queueName }) => queueUrl.endsWith(`/${queueName}`));
}
