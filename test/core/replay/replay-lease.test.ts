import { describe, expect, it } from "vitest";
import { replayWorld } from "./replay-world.ts";

describe("the lease", () => {
  it("lets one run in, and tells another who holds it and since when", async () => {
    const world = replayWorld();
    world.letter("a");
    const both = Promise.allSettled([
      world.start({ requestedBy: "ann" }, 20_000),
      world.start({ requestedBy: "ben" }, 20_000),
    ]);
    const [, second] = await world.clock.run(both);
    expect(second).toMatchObject({
      status: "rejected",
      reason: {
        name: "ReplayHeldError",
        message: expect.stringContaining("run-1, requested by ann, since 2023-11-14T22:13:20"),
      },
    });
    expect(world.sends).toHaveLength(1);
  });

  it("outlives the function's timeout and is released at the end", async () => {
    const world = replayWorld({ replayTimeoutSeconds: 100 });
    const startMs = world.clock.nowMs();
    const running = world.start({}, 20_000);
    let expiresAtMs: number | undefined;
    world.clock.after(8, () => {
      expiresAtMs = world.lease()?.expiresAtMs;
    });
    await world.clock.run(running);
    expect(expiresAtMs).toBe(startMs + 160_000);
    expect(world.lease()).toBeUndefined();
  });

  it("is released after a failure, too", async () => {
    const world = replayWorld();
    world.faults.set("receive *", "failed");
    await expect(world.replay()).rejects.toMatchObject({ name: "ReplayUnavailableError" });
    expect(world.lease()).toBeUndefined();
  });

  it("of another run is not released by the one that it refused", async () => {
    const world = replayWorld();
    const held = { runId: "other", who: "ann", sinceMs: 0, expiresAtMs: Number.MAX_SAFE_INTEGER };
    world.setLease(held);
    await expect(world.replay()).rejects.toMatchObject({ name: "ReplayHeldError" });
    expect(world.lease()).toBe(held);
  });

  it("is taken over once it has expired", async () => {
    const world = replayWorld();
    world.setLease({ runId: "dead", who: "ann", sinceMs: 0, expiresAtMs: world.clock.nowMs() });
    world.letter("a");
    await expect(world.replay()).resolves.toMatchObject({ replayed: 1 });
  });

  it("is given back where it is not known whether it was taken", async () => {
    const world = replayWorld();
    world.faults.set("acquireLease *", "lost");
    await expect(world.replay()).rejects.toMatchObject({ name: "ReplayUnavailableError" });
    expect(world.lease()).toBeUndefined();
  });

  it("that cannot be released is told to the operator, beside the result", async () => {
    const world = replayWorld();
    world.letter("a");
    world.faults.set("releaseLease *", "failed");
    const result = await world.replay();
    expect(result).toMatchObject({ replayed: 1 });
    expect(result.errors).toEqual([{ id: "run-1", error: expect.stringContaining("lease") }]);
  });
});
