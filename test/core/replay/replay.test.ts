import { describe, expect, it } from "vitest";
import { decodeReplay } from "../../../lambdas/core/wire/wire-metadata.ts";
import { KEYS } from "../drain/drain-stage.ts";
import { sequence } from "./made-letters.ts";
import { replayWorld, type World } from "./replay-world.ts";

const COUNTS = { examined: 0, replayed: 0, skipped: 0, failed: [], pending: 0, errors: [] };

const idsOf = (world: World) => world.sends.map(({ id }) => id);

describe("a replay", () => {
  it("answers with zeros for an empty dead-letter queue", async () => {
    const world = replayWorld();
    await expect(world.replay()).resolves.toEqual({
      ...COUNTS,
      runId: "run-1",
      dryRun: false,
      truncated: false,
      letters: [],
      left: { overtaken: 0, held: 0, cannotRun: 0, expired: 0 },
    });
  });

  it("sends a letter back, follows it until it is applied, and leaves no letter", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 7 });
    const result = await world.replay();
    expect(result).toMatchObject({ ...COUNTS, examined: 1, replayed: 1, truncated: false });
    expect(world.ledger.effects).toEqual(["a"]);
    expect(world.ids(world.letterQueue)).toEqual([]);
    expect(world.ledger.items.get("a")).toMatchObject({ state: "applied", generation: 1 });
  });

  it("keeps body and every attribute, and puts `replay` in the place of `deadLetter`", async () => {
    const world = replayWorld();
    const extra = {
      s: { dataType: "String", stringValue: "x" },
      n: { dataType: "Number.int", stringValue: "7" },
      b: { dataType: "Binary", binaryValue: new Uint8Array([0, 255]) },
      ["__proto__"]: { dataType: "String", stringValue: "kept" },
    };
    world.letter("a", {
      partition: 3,
      offset: 9,
      body: "{",
      extra,
      enqueuedAtMs: 1_600_000_000_000,
    });
    await world.clock.run(world.start({}, 20_000));
    const [message] = world.source.stored;
    expect(message).toMatchObject({ body: "{", group: "3" });
    const { replay, ...kept } = message?.attributes ?? {};
    expect(decodeReplay(replay ?? { dataType: "String" })).toEqual({
      generation: 1,
      offset: sequence(9),
      enqueuedAtMs: 1_600_000_000_000,
      runId: "run-1",
    });
    expect(Object.keys(kept).toSorted()).toEqual(
      ["__proto__", "b", "enqueuedAt", "id", "key", "n", "s"].toSorted(),
    );
    expect(kept).toMatchObject({ s: extra.s, n: extra.n, b: extra.b });
  });

  it("goes oldest offset first within a partition, unknown offsets last by publish time", async () => {
    const world = replayWorld();
    world.letter("third", { offset: 300 });
    world.letter("late", { offset: undefined, enqueuedAtMs: 2 });
    world.letter("first", { offset: 100 });
    world.letter("early", { offset: undefined, enqueuedAtMs: 1 });
    world.letter("second", { offset: 200 });
    await world.replay();
    expect(idsOf(world)).toEqual(["first", "second", "third", "early", "late"]);
    expect(world.calls).toEqual(["first", "second", "third", "early", "late"]);
  });

  it("does not hold later letters of a key behind one that fails again", async () => {
    const world = replayWorld();
    world.failing.set("a", "still out of stock");
    world.letter("a", { offset: 1 });
    world.letter("b", { offset: 2 });
    const result = await world.replay();
    expect(result).toMatchObject({
      replayed: 1,
      failed: [{ id: "a", key: KEYS[5], reason: "still out of stock" }],
      pending: 0,
      errors: [],
    });
    expect(world.ids(world.letterQueue)).toEqual(["a"]);
    expect(world.calls).toEqual(["a", "b"]);
  });

  it("gives a record one attempt per replay, and one letter however often it is replayed", async () => {
    const world = replayWorld();
    world.failing.set("a", "no");
    world.letter("a");
    for (let run = 0; run < 3; run += 1) await world.replay();
    expect(world.calls).toEqual(["a", "a", "a"]);
    expect(world.ids(world.letterQueue)).toEqual(["a"]);
    expect(world.ledger.items.get("a")?.generation).toBe(3);
  });

  it("applies nothing twice when it runs twice", async () => {
    const world = replayWorld();
    for (const id of ["a", "b", "c"]) world.letter(id, { offset: id.charCodeAt(0) });
    await world.replay();
    const again = await world.replay();
    expect(world.ledger.effects).toEqual(["a", "b", "c"]);
    expect(again).toMatchObject({ ...COUNTS, truncated: false });
  });
});

describe("a letter that is not sent", () => {
  it("is removed and skipped where the ledger says that its record was applied", async () => {
    const world = replayWorld();
    world.letter("a");
    const item = world.ledger.items.get("a");
    if (item) world.ledger.items.set("a", { ...item, state: "applied" });
    await expect(world.replay()).resolves.toMatchObject({ skipped: 1, replayed: 0, errors: [] });
    expect(world.ids(world.letterQueue)).toEqual([]);
    expect(world.calls).toEqual([]);
  });

  it("is removed where a batch entry names it, and its open item leaves the list", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 5 });
    world.ledger.entries.push({ partition: 5, offset: sequence(3), ids: new Set(["a"]) });
    await expect(world.replay()).resolves.toMatchObject({ skipped: 1 });
    expect(world.ledger.items.get("a")?.state).toBe("applied");
    expect(world.ids(world.letterQueue)).toEqual([]);
  });

  it("gets no ledger item where it had none and a batch entry names it", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 5, listed: false });
    world.ledger.entries.push({ partition: 5, offset: sequence(5), ids: new Set(["a"]) });
    await expect(world.replay()).resolves.toMatchObject({ skipped: 1 });
    expect(world.ledger.items.has("a")).toBe(false);
  });

  it.each([
    {
      why: "its key is empty",
      make: (world: World) => world.letter("bad", { key: "", offset: 1 }),
      error: "empty key",
    },
    {
      why: "it cannot be read",
      make: (world: World) =>
        world.letter("bad", {
          offset: 1,
          body: "!!!not base64!!!",
          extra: { encoding: { dataType: "String", stringValue: "base64" } },
        }),
      error: "malformed message",
    },
    {
      why: "nobody can tell whether it was applied",
      make: (world: World) => {
        world.letter("bad", { offset: undefined });
        world.ledger.inconclusive.add("bad");
      },
      error: "cannot tell whether it was applied",
    },
    {
      why: "the source queue refuses it",
      make: (world: World) => {
        world.letter("bad", { offset: 1 });
        world.faults.set("send bad", "refused");
      },
      error: "the source queue refused it: not allowed",
    },
  ])("is kept and reported where $why, and the pass goes on", async ({ make, error }) => {
    const world = replayWorld();
    make(world);
    world.letter("good", { offset: 2 });
    const result = await world.replay();
    expect(result.errors).toEqual([{ id: "bad", error: expect.stringContaining(error) }]);
    expect(result).toMatchObject({ replayed: 1, skipped: 0 });
    expect(world.ids(world.letterQueue)).toEqual(["bad"]);
    expect(world.letterQueue.size()).toEqual({ visible: 1, inFlight: 0 });
    expect(world.ledger.effects).toEqual(["good"]);
  });

  it("is kept where it was written under another partition count", async () => {
    const old = replayWorld({ partitions: 16 });
    old.letter("a", { key: "order-1" });
    const world = replayWorld({ partitions: 17 });
    for (const message of old.letterQueue.stored) world.letterQueue.put(message);
    const result = await world.replay();
    expect(result.errors[0]?.error).toContain(
      "its key belongs to partition 8, but the letter was written for partition 13",
    );
    expect(world.ids(world.letterQueue)).toEqual(["a"]);
  });
});

describe("two letters of one record", () => {
  it("become one replay, and the second is skipped", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 1, generation: 0 });
    world.letter("a", { offset: 1, generation: 1 });
    const result = await world.replay();
    expect(result).toMatchObject({ examined: 2, replayed: 1, skipped: 1 });
    expect(world.calls).toEqual(["a"]);
    expect(world.ids(world.letterQueue)).toEqual([]);
  });

  it("never go out under a generation that the ledger has passed", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 1, generation: 0 });
    const item = world.ledger.items.get("a");
    if (item) world.ledger.items.set("a", { ...item, generation: 4 });
    await expect(world.replay()).resolves.toMatchObject({ replayed: 1 });
    expect(world.ledger.effects).toEqual(["a"]);
    expect(world.ledger.items.get("a")?.generation).toBe(5);
  });
});
