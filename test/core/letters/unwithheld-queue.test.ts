import { expect, it } from "vitest";
import { withoutWithheld } from "../../../lambdas/core/letters/unwithheld-queue.ts";
import type { Delivery } from "../../../lambdas/core/record.ts";
import type { Held, LetterQueue } from "../../../lambdas/core/replay/replay-ports.ts";

const letter = {
  messageId: "m1",
  receiptHandle: "handle-1",
  group: "3",
  receives: 1,
  sequenceNumber: "1",
  sentAtMs: 0,
  firstReceivedAtMs: 0,
  body: "long",
  attributes: { id: { dataType: "String", stringValue: "r1" } },
} satisfies Delivery;

const marks = { withheld: async () => [{ id: "r1", state: "discarded" }] } as never;

it("looks no longer for a letter that it may show than its reader has time", async () => {
  let nowMs = 0;
  const queue = {
    receive: async () => {
      nowMs += 1000;
      if (nowMs > 60_000) throw new Error("the function has ended");
      return [{ ...letter, messageId: `m${nowMs}` }];
    },
  } as Partial<LetterQueue> as LetterQueue;
  const clock = { nowMs: () => nowMs };
  const unwithheld = withoutWithheld(queue, { marks, partitions: 16, clock, untilMs: 30_000 });
  await expect(unwithheld.receive(30)).resolves.toEqual([]);
  expect(nowMs).toBe(30_000);
});

it("holds handles of the letters that it does not show, not their bodies", async () => {
  const batches: Delivery[][] = [[letter]];
  const given: (readonly Held[])[] = [];
  const queue = {
    receive: async () => batches.shift() ?? [],
    giveBack: async (letters: readonly Held[]) => void given.push(letters),
  } as Partial<LetterQueue> as LetterQueue;
  const unwithheld = withoutWithheld(queue, {
    ...{ marks, partitions: 16, untilMs: 1 },
    clock: { nowMs: () => 0 },
  });
  await expect(unwithheld.receive(30)).resolves.toEqual([]);
  await unwithheld.release();
  expect(given).toEqual([[{ messageId: "m1", receiptHandle: "handle-1" }]]);
});
