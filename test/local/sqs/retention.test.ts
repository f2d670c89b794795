import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type DirectQueues, directQueues } from "./direct-queues.ts";

const START_MS = 1_800_000_000_000;
const QueueUrl = "q.fifo";

let queues: DirectQueues;

beforeEach(async () => {
  vi.useFakeTimers({ now: START_MS, toFake: ["Date", "setTimeout", "clearTimeout"] });
  queues = directQueues();
});

afterEach(() => {
  queues.engine.runtime.deadlines.close();
  vi.useRealTimers();
});

function create(QueueName: string, Attributes: Readonly<Record<string, string>>) {
  return queues.call("CreateQueue", {
    QueueName,
    Attributes: { FifoQueue: "true", MessageRetentionPeriod: "60", ...Attributes },
  });
}

function send(MessageBody: string, queue = QueueUrl) {
  return queues.call("SendMessage", {
    QueueUrl: queue,
    MessageBody,
    MessageGroupId: "a",
    MessageDeduplicationId: MessageBody,
  });
}

async function receive(queue = QueueUrl): Promise<readonly string[]> {
  const { Messages = [] } = await queues.call("ReceiveMessage", {
    QueueUrl: queue,
    MaxNumberOfMessages: 10,
  });
  return Messages.map(({ Body }: { readonly Body: string }) => Body);
}

describe("a message", () => {
  it("is dropped when its retention ends, without any request, and frees those behind it", async () => {
    await create(QueueUrl, {});
    await send("old");
    vi.advanceTimersByTime(30_000);
    await send("young");
    vi.advanceTimersByTime(29_999);
    const queue = queues.engine.queues.get(QueueUrl);
    expect(queue?.messages.size).toBe(2);
    vi.advanceTimersByTime(1000);
    expect(queue?.messages.size).toBe(1);
    expect(await receive()).toEqual(["young"]);
  });

  it("is dropped in flight too, and its handle then deletes nothing", async () => {
    await create(QueueUrl, { VisibilityTimeout: "600" });
    await send("old");
    expect(await receive()).toEqual(["old"]);
    vi.advanceTimersByTime(61_000);
    const queue = queues.engine.queues.get(QueueUrl);
    expect(queue?.counts).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    expect(queue?.counters.deleted).toBe(0);
  });

  it("has the whole retention of a FIFO dead-letter queue before it, and no more", async () => {
    await create("letters.fifo", { MessageRetentionPeriod: "120" });
    const deadLetterTargetArn = queues.engine.arnOf("letters.fifo");
    await create(QueueUrl, {
      MessageRetentionPeriod: "600",
      VisibilityTimeout: "0",
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 }),
    });
    await send("poison");
    await receive();
    vi.advanceTimersByTime(100_000);
    await receive();
    const letters = queues.engine.queues.get("letters.fifo");
    vi.advanceTimersByTime(119_000);
    expect(letters?.messages.size).toBe(1);
    vi.advanceTimersByTime(2000);
    expect(letters?.messages.size).toBe(0);
  });

  it("is kept or dropped by a retention that was changed while it waited", async () => {
    await create(QueueUrl, { MessageRetentionPeriod: "1209600" });
    await send("a");
    await queues.call("SetQueueAttributes", {
      QueueUrl,
      Attributes: { MessageRetentionPeriod: "60" },
    });
    vi.advanceTimersByTime(61_000);
    expect(queues.engine.queues.get(QueueUrl)?.messages.size).toBe(0);
  });

  it("is kept for the longest retention, 14 days, and then dropped", async () => {
    await create(QueueUrl, { MessageRetentionPeriod: "1209600" });
    await send("a");
    vi.advanceTimersByTime(1_209_599_000);
    expect(queues.engine.queues.get(QueueUrl)?.messages.size).toBe(1);
    vi.advanceTimersByTime(2000);
    expect(queues.engine.queues.get(QueueUrl)?.messages.size).toBe(0);
  });
});

describe("a de-duplication id", () => {
  it("is remembered for 5 minutes from the first message on, and no longer", async () => {
    await create(QueueUrl, { MessageRetentionPeriod: "3600" });
    const first = await send("a");
    vi.advanceTimersByTime(299_999);
    expect((await send("a")).MessageId).toBe(first.MessageId);
    vi.advanceTimersByTime(1);
    expect((await send("a")).MessageId).not.toBe(first.MessageId);
  });

  it("is let go by an idle queue", async () => {
    await create(QueueUrl, {});
    await send("a");
    const queue = queues.engine.queues.get(QueueUrl);
    expect(queue?.deduplication.size).toBe(1);
    vi.advanceTimersByTime(301_000);
    expect(queue?.deduplication.size).toBe(0);
    expect(queues.engine.runtime.deadlines.pending).toBe(0);
  });

  it("is let go in time by a queue whose oldest message has long to live", async () => {
    await create(QueueUrl, { MessageRetentionPeriod: "1209600" });
    await send("stays");
    vi.advanceTimersByTime(400_000);
    await send("later");
    vi.advanceTimersByTime(301_000);
    const queue = queues.engine.queues.get(QueueUrl);
    expect(queue?.messages.size).toBe(2);
    expect(queue?.deduplication.size).toBe(0);
  });
});
