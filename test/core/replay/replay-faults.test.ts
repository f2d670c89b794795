import { describe, expect, it } from "vitest";
import { replayWorld, type World } from "./replay-world.ts";

const idsOf = (world: World) => world.sends.map(({ id }) => id);

describe("what is not known", () => {
  it("stops a partition at a send without an answer, and lets the others go on", async () => {
    const world = replayWorld();
    world.letter("a", { partition: 1, offset: 1 });
    world.letter("b", { partition: 1, offset: 2 });
    world.letter("c", { partition: 2, offset: 3 });
    world.faults.set("send a", "failed");
    const result = await world.replay();
    expect(result.errors).toEqual([{ id: "a", error: expect.stringContaining("not known") }]);
    expect(idsOf(world)).toEqual(["c"]);
    expect(world.ids(world.letterQueue)).toEqual(["a", "b"]);
    expect(world.letterQueue.size()).toEqual({ visible: 2, inFlight: 0 });
  });

  it.each([
    { laterMs: 10_000, why: "the send is repeated under one de-duplication id" },
    { laterMs: 400_000, why: "the ledger knows what became of the first" },
  ])("applies once after a lost answer, $laterMs ms later: $why", async ({ laterMs }) => {
    const world = replayWorld();
    world.letter("a");
    world.faults.set("send a", "lost");
    await world.replay();
    world.faults.clear();
    await world.clock.run(world.clock.sleep(laterMs));
    await world.replay();
    expect(world.ledger.effects).toEqual(["a"]);
    expect(world.ids(world.letterQueue)).toEqual([]);
  });

  it("keeps a letter whose record the ledger cannot be asked about, and its partition", async () => {
    const world = replayWorld();
    world.letter("a", { partition: 1, offset: 1 });
    world.letter("b", { partition: 1, offset: 2 });
    world.letter("c", { partition: 2, offset: 3 });
    world.faults.set("standings a", "failed");
    const result = await world.replay();
    expect(result.errors).toEqual([{ id: "a", error: expect.stringContaining("did not answer") }]);
    expect(world.ledger.effects).toEqual(["c"]);
    expect(world.ids(world.letterQueue)).toEqual(["a", "b"]);
  });

  it("settles a letter that could not be removed in a later run, without a second effect", async () => {
    const world = replayWorld();
    world.letter("a");
    world.faults.set("remove a", "failed");
    const first = await world.replay();
    expect(first).toMatchObject({ replayed: 1 });
    expect(first.errors[0]?.error).toContain("sent, but its letter could not be removed");
    world.faults.clear();
    await expect(world.replay()).resolves.toMatchObject({ skipped: 1, errors: [] });
    expect(world.ledger.effects).toEqual(["a"]);
    expect(world.ids(world.letterQueue)).toEqual([]);
  });

  it("says of letters whose outcome cannot be read that they are pending", async () => {
    const world = replayWorld();
    world.letter("a");
    const running = world.start({}, 20_000);
    world.clock.after(100, () => world.faults.set("items *", "failed"));
    const result = await world.clock.run(running);
    expect(result).toMatchObject({ replayed: 0, pending: 1 });
    expect(result.errors).toEqual([
      { id: "a", error: expect.stringContaining("could not be read") },
    ]);
  });
});

describe("a failure before anything was sent", () => {
  it.each(["deadRecords *", "receive *", "size *"])(
    "of %s is a typed error, and every letter is given back",
    async (call) => {
      const world = replayWorld();
      for (let n = 1; n <= 3; n += 1) world.letter(`l${n}`, { offset: n });
      world.faults.set(call, "failed");
      await expect(world.replay()).rejects.toMatchObject({
        name: "ReplayUnavailableError",
        message: expect.stringContaining("Nothing was replayed"),
      });
      expect(world.letterQueue.size()).toEqual({ visible: 3, inFlight: 0 });
      expect(world.sends).toEqual([]);
    },
  );
});
