import { describe, expect, it } from "vitest";
import { sequence } from "./made-letters.ts";
import { replayWorld } from "./replay-world.ts";

describe("a dry run", () => {
  it("says what would happen and writes nothing", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 1 });
    world.letter("b", { offset: 2, key: "" });
    world.letter("c", { offset: 3 });
    const item = world.ledger.items.get("c");
    if (item) world.ledger.items.set("c", { ...item, state: "applied" });
    world.faults.set("send *", "refused");
    world.faults.set("remove *", "failed");
    world.faults.set("markApplied *", "failed");
    world.faults.set("acquireLease *", "failed");
    const before = structuredClone(
      world.letterQueue.stored.map(({ body, attributes }) => ({ body, attributes })),
    );
    const result = await world.replay({ dryRun: true });
    expect(result).toMatchObject({
      dryRun: true,
      examined: 3,
      replayed: 0,
      skipped: 1,
      pending: 0,
      errors: [{ id: "b", error: expect.stringContaining("empty key") }],
      selected: {
        count: 1,
        letters: [{ id: "a", partition: 5, generation: 0, offset: sequence(1) }],
      },
    });
    expect(world.letterQueue.stored.map(({ body, attributes }) => ({ body, attributes }))).toEqual(
      before,
    );
    expect(world.letterQueue.size()).toEqual({ visible: 3, inFlight: 0 });
  });

  it("does not renew what SQS moved, and says that more may be hidden", async () => {
    const world = replayWorld();
    for (let n = 0; n < 25; n += 1) world.native(`n${n}`);
    const result = await world.replay({ dryRun: true });
    expect(result).toMatchObject({ examined: 10, truncated: true, selected: { count: 10 } });
    expect(world.letterQueue.stored.every(({ group }) => group === "5")).toBe(true);
    expect(world.ledger.items.size).toBe(0);
    expect(world.letterQueue.size()).toEqual({ visible: 25, inFlight: 0 });
  });

  it("runs while a replay holds the lease", async () => {
    const world = replayWorld();
    world.setLease({
      runId: "other",
      who: "ann",
      sinceMs: 0,
      expiresAtMs: Number.MAX_SAFE_INTEGER,
    });
    world.letter("a");
    await expect(world.replay({ dryRun: true })).resolves.toMatchObject({ selected: { count: 1 } });
  });
});
