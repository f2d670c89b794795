import { describe, expect, it } from "vitest";
import { readLetter } from "../../../lambdas/core/replay/replay-letter.ts";
import { replayMessage } from "../../../lambdas/core/replay/replay-message.ts";
import { delivery } from "../drain/drain-stage.ts";

const letter = readLetter(delivery({ id: "a", partition: 3 }), undefined, {
  partitions: 16,
  maxReceiveCount: 50,
});

describe("the message of a replay", () => {
  it("has one de-duplication id per record and generation, whichever run sends it", () => {
    const first = replayMessage(letter, 1, "run-1").deduplicationId;
    expect(replayMessage(letter, 1, "run-2").deduplicationId).toBe(first);
    expect(replayMessage(letter, 2, "run-1").deduplicationId).not.toBe(first);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
  });

  it("goes into the partition of its key", () => {
    expect(replayMessage(letter, 1, "run-1").group).toBe("3");
  });
});
