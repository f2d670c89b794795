import { describe, expect, it } from "vitest";
import { planReplay } from "../../../lambdas/core/replay/plan-replay.ts";
import { replayWorld, type World } from "./replay-world.ts";

const DAY_MS = 86_400_000;

it("a letter that SQS moved stays where it is while nobody knows of its renewal", async () => {
  const world = replayWorld();
  world.native("n0");
  world.faults.set("renew n0", "failed");
  world.faults.set("send n0", "failed");
  await world.replay();
  expect(world.ids(world.letterQueue)).toEqual(["n0"]);
  world.faults.clear();
  await expect(world.replay()).resolves.toMatchObject({ replayed: 1, truncated: false });
  expect(world.ledger.effects).toEqual(["n0"]);
});

describe("a letter that SQS moved long after its record had failed", () => {
  const failedLongAgo = (world: World) => {
    world.letter("a", { failedAtMs: world.clock.nowMs() - 13 * DAY_MS });
    const item = world.ledger.items.get("a");
    if (item) world.ledger.items.set("a", { ...item, state: "retrying" });
    world.letterQueue.stored.length = 0;
    world.native("a");
  };
  const sentAtMs = (world: World) => world.ledger.items.get("a")?.letterSentAtMs;

  it("is kept for a whole retention from its renewal on, and not called expired", async () => {
    const world = replayWorld();
    failedLongAgo(world);
    const beforeMs = world.clock.nowMs();
    await world.replay({ filter: { key: "nobody's" } });
    expect(sentAtMs(world)).toBeGreaterThan(beforeMs);
    world.clock.block(2 * DAY_MS);
    const plan = await world.clock.run(planReplay({ filter: {} }, world.ports()));
    expect(plan).toMatchObject({ counts: { ready: 1, expired: 0 } });
  });

  it.each(["refused", "failed"] as const)(
    "expires as before where its renewal was %s",
    async (fault) => {
      const world = replayWorld();
      failedLongAgo(world);
      const movedAtMs = world.clock.nowMs();
      world.faults.set("renew *", fault);
      world.clock.block(DAY_MS);
      await world.replay({ filter: { key: "nobody's" } });
      expect(sentAtMs(world)).toBe(movedAtMs);
    },
  );
});
