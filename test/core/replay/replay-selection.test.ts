import { describe, expect, it } from "vitest";
import { replayWorld } from "./replay-world.ts";

describe("what a run takes", () => {
  it("is what the filter wants, and the rest is given back at once", async () => {
    const world = replayWorld();
    world.letter("a", { partition: 1, reason: "out of stock" });
    world.letter("b", { partition: 1, reason: "bad item" });
    world.letter("c", { partition: 2, reason: "out of stock" });
    const result = await world.replay({ filter: { partition: 1, reason: "stock" } });
    expect(result).toMatchObject({ examined: 3, replayed: 1 });
    expect(world.ledger.effects).toEqual(["a"]);
    expect(world.letterQueue.size()).toEqual({ visible: 2, inFlight: 0 });
  });

  it("keeps nothing that it does not want in hand while it sends", async () => {
    const world = replayWorld();
    for (let n = 1; n <= 5; n += 1) world.letter(`mine${n}`, { partition: 1, offset: n });
    for (let n = 1; n <= 7; n += 1) world.letter(`other${n}`, { partition: 2, offset: n });
    const running = world.start({ filter: { partition: 1 }, ratePerSecond: 0.5 }, 30_000);
    let midway: unknown;
    world.clock.after(5000, () => {
      midway = { ...world.letterQueue.size(), sent: world.sends.length };
    });
    await world.clock.run(running);
    expect(midway).toEqual({ visible: 7, inFlight: 2, sent: 3 });
  });

  it("is given back before the outcomes are waited for, where it was kept", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 1 });
    world.letter("bad", { offset: 2, key: "" });
    const running = world.start({}, 30_000);
    let midway: unknown;
    world.clock.after(10_000, () => {
      midway = world.letterQueue.size();
    });
    await expect(world.clock.run(running)).resolves.toMatchObject({ pending: 1 });
    expect(midway).toEqual({ visible: 1, inFlight: 0 });
  });

  it("is the oldest up to the limit, whatever order SQS gives them in", async () => {
    const world = replayWorld();
    for (let n = 30; n > 0; n -= 1) world.letter(`l${n}`, { offset: n, partition: n % 4 });
    const result = await world.replay({ limit: 3 });
    expect(result).toMatchObject({ replayed: 3, truncated: true });
    expect(world.ledger.effects.toSorted()).toEqual(["l1", "l2", "l3"]);
    expect(world.letterQueue.size()).toEqual({ visible: 27, inFlight: 0 });
  });

  it("is not called truncated where the limit is just reached", async () => {
    const world = replayWorld();
    for (let n = 1; n <= 3; n += 1) world.letter(`l${n}`, { offset: n });
    await expect(world.replay({ limit: 3 })).resolves.toMatchObject({
      replayed: 3,
      truncated: false,
    });
  });

  it("goes out at the rate asked for", async () => {
    const world = replayWorld();
    for (let n = 1; n <= 5; n += 1) world.letter(`l${n}`, { offset: n, partition: n });
    await world.replay({ ratePerSecond: 2 });
    const [first = 0, ...rest] = world.sends.map(({ atMs }) => atMs);
    expect(rest.map((atMs) => atMs - first)).toEqual([500, 1000, 1500, 2000]);
  });

  it("leaves a partition alone behind a letter that another reader hides", async () => {
    const world = replayWorld();
    world.letter("old", { partition: 1, offset: 2 });
    world.letterQueue.receive(3_600_000);
    world.letter("older", { partition: 1, offset: 1 });
    world.letter("new", { partition: 1, offset: 3 });
    world.letter("elsewhere", { partition: 2, offset: 4 });
    const result = await world.replay();
    expect(result).toMatchObject({ replayed: 2, errors: [], truncated: true });
    expect(world.ledger.effects.toSorted()).toEqual(["elsewhere", "older"]);
    expect(world.ids(world.letterQueue)).toEqual(["old", "new"]);
    expect(world.letterQueue.size()).toEqual({ visible: 1, inFlight: 1 });
  });

  it("reports a listed letter that a complete scan did not find", async () => {
    const world = replayWorld();
    world.letter("gone", { offset: 1 });
    world.letterQueue.stored.length = 0;
    world.letter("here", { offset: 2 });
    const result = await world.replay();
    expect(result).toMatchObject({ replayed: 1, truncated: false });
    expect(result.errors).toEqual([
      { id: "gone", error: expect.stringContaining("not in the dead-letter queue: expired") },
    ]);
  });

  it("does not miss a letter that only a lagging index still lists", async () => {
    const world = replayWorld();
    world.letter("settled", { offset: 1 });
    world.letterQueue.stored.length = 0;
    const stale = world.ledger.items.get("settled");
    if (stale) world.ledger.items.set("settled", { ...stale, state: "applied" });
    const ports = world.ports();
    const lagging = { ...ports.ledger, deadRecords: async () => (stale ? [stale] : []) };
    const result = await world.clock.run(world.start({}, 20_000, { ...ports, ledger: lagging }));
    expect(result).toMatchObject({ errors: [], truncated: false });
  });

  it("says of ids that are no letters what the ledger knows of them", async () => {
    const world = replayWorld();
    world.letter("here");
    const item = world.ledger.items.get("here");
    if (item) {
      world.ledger.items.set("done", { ...item, id: "done", state: "applied" });
      world.ledger.items.set("busy", { ...item, id: "busy", state: "retrying" });
    }
    const result = await world.replay({ filter: { ids: ["here", "done", "busy", "typo"] } });
    expect(result).toMatchObject({ replayed: 1, truncated: false });
    expect(result.errors).toEqual([
      { id: "done", error: expect.stringContaining("it was applied") },
      { id: "busy", error: expect.stringContaining("being tried") },
      { id: "typo", error: expect.stringContaining("no trouble with it") },
    ]);
  });

  it("stops looking once every id asked for was seen", async () => {
    const world = replayWorld();
    for (let n = 1; n <= 40; n += 1) world.letter(`l${n}`, { offset: n });
    const result = await world.replay({ filter: { ids: ["l3"] } });
    expect(result).toMatchObject({ examined: 10, replayed: 1, truncated: false, errors: [] });
  });
});

describe("time", () => {
  it("ends a run with a clear answer and nothing lost when it is up half-way", async () => {
    const world = replayWorld();
    for (let n = 1; n <= 20; n += 1) world.letter(`l${n}`, { offset: n });
    const result = await world.replay({ ratePerSecond: 1 }, 10_000);
    expect(result.truncated).toBe(true);
    expect(result.replayed + result.pending).toBe(world.sends.length);
    expect(world.sends.length).toBeGreaterThan(5);
    expect(world.sends.length).toBeLessThan(11);
    expect(world.letterQueue.size()).toEqual({ visible: 20 - world.sends.length, inFlight: 0 });
    await world.replay();
    expect(world.ledger.effects).toHaveLength(20);
  });

  it("ends before its deadline though a record stays pending", async () => {
    const world = replayWorld();
    world.letter("a");
    const startMs = world.clock.nowMs();
    const result = await world.clock.run(world.start({}, 30_000));
    expect(result).toMatchObject({ pending: 1, replayed: 0 });
    expect(world.clock.nowMs() - startMs).toBeLessThan(30_000);
    expect(world.clock.nowMs() - startMs).toBeGreaterThan(20_000);
    expect(world.ids(world.source)).toEqual(["a"]);
  });
});
