import { describe, expect, it } from "vitest";
import { decodeReplay } from "../../../lambdas/core/wire/wire-metadata.ts";
import { sequence } from "./made-letters.ts";
import { replayWorld, type World } from "./replay-world.ts";

describe("letters that SQS moved", () => {
  const move = (world: World, count: number) => {
    for (let n = 0; n < count; n += 1) world.native(`n${n}`, { enqueuedAtMs: 1000 + n });
  };

  it("are all replayed, though ten of a group hide the rest", async () => {
    const world = replayWorld();
    move(world, 25);
    const result = await world.replay();
    expect(result).toMatchObject({ examined: 25, replayed: 25, errors: [], truncated: false });
    expect(world.calls).toEqual(Array.from({ length: 25 }, (_, n) => `n${n}`));
    expect(world.ids(world.letterQueue)).toEqual([]);
  });

  it("are renewed into groups of their own where they do not match, and say why they are there", async () => {
    const world = replayWorld();
    move(world, 25);
    const result = await world.replay({ filter: { ids: ["n20"] } });
    expect(result).toMatchObject({ replayed: 1, errors: [] });
    expect(world.ledger.effects).toEqual(["n20"]);
    const groups = world.letterQueue.stored.map(({ group }) => group);
    expect(new Set(groups).size).toBe(24);
    expect(groups).not.toContain("5");
    const mark = world.letterQueue.stored[0]?.attributes["deadLetter"]?.stringValue ?? "{}";
    expect(JSON.parse(mark)).toMatchObject({
      partition: 5,
      offset: null,
      generation: 0,
      reason: "moved by SQS after 100 receives",
    });
  });

  it("have a record item from then on, so that they are listed as dead", async () => {
    const world = replayWorld();
    move(world, 1);
    await world.replay({ filter: { key: "nobody's" } });
    expect(world.ledger.items.get("n0")).toMatchObject({
      state: "dead",
      reason: "moved by SQS after 100 receives",
    });
  });

  it("keep the reason that the ledger knows", async () => {
    const world = replayWorld();
    world.letter("a", { reason: "out of stock" });
    const item = world.ledger.items.get("a");
    if (item) world.ledger.items.set("a", { ...item, state: "retrying" });
    world.letterQueue.stored.length = 0;
    world.native("a");
    const result = await world.replay({ dryRun: true, filter: { reason: "of stock" } });
    expect(result.selected?.letters).toMatchObject([
      { id: "a", reason: "out of stock", offset: null },
    ]);
  });

  it("go on in the generation that their own replay had reached, with the first offset", async () => {
    const world = replayWorld();
    world.native("a", { generation: 2, offset: 8 });
    await world.clock.run(world.start({}, 20_000));
    const replay = world.source.stored[0]?.attributes["replay"];
    expect(decodeReplay(replay ?? { dataType: "String" })).toMatchObject({
      generation: 3,
      offset: sequence(8),
    });
  });

  it("stay unknown of offset through renewal and replay", async () => {
    const world = replayWorld();
    world.native("a");
    await world.clock.run(world.start({}, 20_000));
    const replay = world.source.stored[0]?.attributes["replay"];
    expect(decodeReplay(replay ?? { dataType: "String" })).toMatchObject({
      generation: 1,
      offset: undefined,
    });
  });

  it("are skipped where a batch entry of their partition names them", async () => {
    const world = replayWorld();
    world.native("a");
    world.ledger.entries.push({ partition: 5, offset: sequence(50), ids: new Set(["a"]) });
    await expect(world.replay()).resolves.toMatchObject({ skipped: 1, replayed: 0 });
    expect(world.calls).toEqual([]);
  });

  it("are renewed unchanged where the facts do not fit", async () => {
    const world = replayWorld();
    const extra = Object.fromEntries(
      Array.from({ length: 7 }, (_, n) => [`x${n}`, { dataType: "String", stringValue: "y" }]),
    );
    world.native("a", { extra });
    await world.replay({ filter: { key: "nobody's" } });
    expect(world.letterQueue.stored[0]).toMatchObject({ group: "a", attributes: extra });
    expect(world.letterQueue.stored[0]?.attributes).not.toHaveProperty("deadLetter");
    expect(world.ledger.items.get("a")).toMatchObject({ state: "dead" });
  });

  it("are replayed from where they are if they cannot be renewed, and hide the rest openly", async () => {
    const world = replayWorld();
    move(world, 12);
    world.faults.set("renew *", "refused");
    const result = await world.replay();
    expect(result).toMatchObject({ replayed: 10, truncated: true });
    expect(result.errors).toHaveLength(10);
    world.faults.clear();
    await expect(world.replay()).resolves.toMatchObject({ replayed: 2, truncated: false });
  });

  it("are lost by no renewal that is cut short", async () => {
    const world = replayWorld();
    move(world, 3);
    world.faults.set("renew n0", "lost");
    world.faults.set("remove n1", "failed");
    await world.replay();
    world.faults.clear();
    await world.replay();
    expect(world.ledger.effects.toSorted()).toEqual(["n0", "n1", "n2"]);
    expect(world.ids(world.letterQueue)).toEqual([]);
  });
});
