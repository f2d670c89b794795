import { afterEach, expect, it, vi } from "vitest";
import { directQueues } from "./direct-queues.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("brings messages back together that were received together, however long the receive took", async () => {
  const { engine, call } = directQueues();
  const FifoQueue = "true";
  await call("CreateQueue", { QueueName: "q.fifo", Attributes: { FifoQueue } });
  const QueueUrl = "q.fifo";
  for (const MessageBody of ["a", "b", "c"]) {
    const ids = { MessageGroupId: "g", MessageDeduplicationId: MessageBody };
    await call("SendMessage", { QueueUrl, MessageBody, ...ids });
  }
  // A millisecond passes with each look at the clock.
  let nowMs = Date.now();
  vi.spyOn(Date, "now").mockImplementation(() => {
    nowMs += 1;
    return nowMs;
  });
  await call("ReceiveMessage", { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 30 });
  const messages = [...(engine.queues.get("q.fifo")?.messages.values() ?? [])];
  expect(messages).toHaveLength(3);
  expect(new Set(messages.map(({ invisibleUntilMs }) => invisibleUntilMs)).size).toBe(1);
});
