import { expect, it } from "vitest";
import { withoutWithheld } from "../../../lambdas/core/letters/unwithheld-queue.ts";
import type { Delivery } from "../../../lambdas/core/record.ts";
import type { Held, LetterQueue } from "../../../lambdas/core/replay/replay-ports.ts";

it("holds handles of the letters that it does not show, not their bodies", async () => {
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
  const batches: Delivery[][] = [[letter]];
  const given: (readonly Held[])[] = [];
  const queue = {
    receive: async () => batches.shift() ?? [],
    giveBack: async (letters: readonly Held[]) => void given.push(letters),
  } as Partial<LetterQueue> as LetterQueue;
  const withheld = [{ id: "r1", state: "discarded" }];
  const marks = { withheld: async () => withheld } as never;
  const unwithheld = withoutWithheld(queue, { marks, partitions: 16 });
  await expect(unwithheld.receive(30)).resolves.toEqual([]);
  await unwithheld.release();
  expect(given).toEqual([[{ messageId: "m1", receiptHandle: "handle-1" }]]);
});
