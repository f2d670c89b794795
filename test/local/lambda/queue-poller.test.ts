import { setImmediate as nextTurn } from "node:timers/promises";
import type { Message } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createQueuePoller, type PollerPorts } from "../../../local/lambda/queue-poller.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A poller whose polls and deliveries end when the test says so. */
function pollerOf(given: Partial<PollerPorts> = {}) {
  const polls: PromiseWithResolvers<readonly Message[]>[] = [];
  const deliveries: PromiseWithResolvers<boolean>[] = [];
  const pollErrors: unknown[] = [];
  const poller = createQueuePoller({
    limits: () => ({ batchSize: 10, maximumConcurrency: 2 }),
    receive(_messagesMax, signal) {
      const poll = Promise.withResolvers<readonly Message[]>();
      signal.addEventListener("abort", () => poll.reject(signal.reason));
      polls.push(poll);
      return poll.promise;
    },
    deliver() {
      const delivery = Promise.withResolvers<boolean>();
      deliveries.push(delivery);
      return delivery.promise;
    },
    onPollError: (error) => pollErrors.push(error),
    backoff: { baseMs: 100, capMs: 300 },
    ...given,
  });
  return { poller, polls, deliveries, pollErrors };
}

const MESSAGES: readonly Message[] = [{ MessageId: "one" }];

describe("the poller of a queue", () => {
  it("polls only as much as it could handle at once", async () => {
    const { poller, polls, deliveries } = pollerOf();
    poller.start();
    expect(polls).toHaveLength(2);
    polls[0]?.resolve(MESSAGES);
    polls[1]?.resolve(MESSAGES);
    await nextTurn();
    expect(polls).toHaveLength(2);
    deliveries[0]?.resolve(true);
    await nextTurn();
    expect(polls).toHaveLength(3);
  });

  it("begins with five polls at most, and polls again after an empty one", async () => {
    const { poller, polls } = pollerOf({
      limits: () => ({ batchSize: 10, maximumConcurrency: 1000 }),
    });
    poller.start();
    expect(polls).toHaveLength(5);
    polls[0]?.resolve([]);
    await nextTurn();
    expect(polls).toHaveLength(6);
  });

  it("waits longer after each failed batch, up to a cap, and not at all after a good one", async () => {
    const { poller, polls, deliveries } = pollerOf({
      limits: () => ({ batchSize: 10, maximumConcurrency: 1 }),
    });
    poller.start();
    for (const [index, waitMs] of [100, 200, 300, 300].entries()) {
      polls[index]?.resolve(MESSAGES);
      await nextTurn();
      deliveries[index]?.resolve(false);
      await nextTurn();
      await vi.advanceTimersByTimeAsync(waitMs - 1);
      expect(polls).toHaveLength(index + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(polls).toHaveLength(index + 2);
    }
    polls[4]?.resolve(MESSAGES);
    await nextTurn();
    deliveries[4]?.resolve(true);
    await nextTurn();
    expect(polls).toHaveLength(6);
  });

  it("tells of a failed poll and polls again a little later", async () => {
    const { poller, polls, pollErrors } = pollerOf();
    poller.start();
    const error = new Error("connect ECONNREFUSED");
    polls[0]?.reject(error);
    await nextTurn();
    expect(pollErrors).toEqual([error]);
    expect(polls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(polls).toHaveLength(3);
  });

  it("stops by aborting its polls, and is stopped when the last batch is done", async () => {
    const { poller, polls, deliveries, pollErrors } = pollerOf();
    poller.start();
    polls[0]?.resolve(MESSAGES);
    await nextTurn();
    let stopped = false;
    const stopping = poller.stop().then(() => {
      stopped = true;
    });
    await nextTurn();
    expect(stopped).toBe(false);
    deliveries[0]?.resolve(false);
    await stopping;
    await vi.advanceTimersByTimeAsync(1000);
    expect(polls).toHaveLength(2);
    expect(pollErrors).toEqual([]);
  });
});
