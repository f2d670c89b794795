import { describe, expect, it } from "vitest";
import { attemptRecord } from "../../../lambdas/core/drain/attempt.ts";
import type { Handler } from "../../../lambdas/core/handler.ts";
import type { BacklogRecord } from "../../../lambdas/core/record.ts";
import { VirtualClock } from "../virtual-clock.ts";

const record: BacklogRecord = {
  id: "a",
  key: "player:1",
  payload: "",
  offset: "1",
  partition: 5,
  enqueuedAtMs: 0,
  attempts: 0,
  generation: 0,
  attributes: {},
};

/** One call with 10 s for it, in an invocation that has `leftMs`. */
function attempted(
  clock: VirtualClock,
  handle: Handler<never>,
  leftMs = 60_000,
): ReturnType<typeof attemptRecord<never>> {
  const limits = { timeoutMs: 10_000, lastMs: clock.nowMs() + leftMs };
  return clock.run(attemptRecord(handle, record, 1, limits, clock));
}

describe("a handler that takes too long", () => {
  it("is told by its signal at the timeout, and has failed though it stops at once", async () => {
    const clock = new VirtualClock();
    const startMs = clock.nowMs();
    const verdict = await attempted(
      clock,
      (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    expect(verdict).toEqual({
      kind: "failed",
      reason: "the handler timed out after 10 s",
      poison: false,
      abandoned: false,
    });
    expect(clock.nowMs() - startMs).toBe(10_000);
  });

  it("is abandoned where it does not heed the signal", async () => {
    const verdict = await attempted(new VirtualClock(), () => new Promise(() => {}));
    expect(verdict).toMatchObject({ kind: "failed", abandoned: true });
  });
});

describe("a handler behind a blocked event loop", () => {
  /** Blocks in the middle of a call, when its timer is armed, and needs a little more after that. */
  const blocked =
    (clock: VirtualClock, blockedMs: number, restMs: number): Handler<never> =>
    async () => {
      await clock.sleep(1);
      clock.block(blockedMs);
      await clock.sleep(restMs);
      return undefined;
    };

  it("gets as much time again as its timer fired late", async () => {
    const clock = new VirtualClock();
    const verdict = await attempted(clock, blocked(clock, 12_000, 1900));
    expect(verdict).toEqual({ kind: "done", effects: [] });
  });

  it("gets it once, and then has timed out", async () => {
    const clock = new VirtualClock();
    const verdict = await attempted(clock, blocked(clock, 12_000, 2500));
    expect(verdict).toMatchObject({ kind: "failed", reason: "the handler timed out after 10 s" });
  });

  it("gets none of the time that the invocation needs for its answer", async () => {
    const clock = new VirtualClock();
    const verdict = await attempted(clock, blocked(clock, 12_000, 1900), 12_500);
    expect(verdict).toMatchObject({ kind: "failed" });
  });
});

it.each([[undefined], [null], ["ADD gold 5"]])(
  "an effect that is no write but %j is a failed attempt",
  async (effect) => {
    const verdict = await attempted(new VirtualClock(), async () => ({
      effects: [{ add: "gold" }, effect] as never[],
    }));
    expect(verdict).toMatchObject({
      kind: "failed",
      poison: false,
      reason: expect.stringContaining("effect 2"),
    });
  },
);

it("poison is known by its name, too, for a bundle may hold a second copy of the class", async () => {
  const poison = Object.assign(new Error("no such item"), { name: "PoisonRecordError" });
  const verdict = await attempted(new VirtualClock(), () => Promise.reject(poison));
  expect(verdict).toMatchObject({ kind: "failed", poison: true, reason: "no such item" });
});
