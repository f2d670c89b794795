import { describe, expect, it } from "vitest";
import { decodeReplay } from "../../lambdas/core/wire-metadata.ts";
import { KEYS } from "./drain-stage.ts";
import { replayWorld, sequence, type World } from "./replay-world.ts";

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
    });
  });

  it("sends a letter back, follows it until it is applied, and leaves no letter", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 7 });
    const result = await world.replay();
    expect(result).toMatchObject({ ...COUNTS, examined: 1, replayed: 1, truncated: false });
    expect(world.ledger.effects).toEqual(["a"]);
    expect(world.ids(world.letters)).toEqual([]);
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
    expect(world.ids(world.letters)).toEqual(["a"]);
    expect(world.calls).toEqual(["a", "b"]);
  });

  it("gives a record one attempt per replay, and one letter however often it is replayed", async () => {
    const world = replayWorld();
    world.failing.set("a", "no");
    world.letter("a");
    for (let run = 0; run < 3; run += 1) await world.replay();
    expect(world.calls).toEqual(["a", "a", "a"]);
    expect(world.ids(world.letters)).toEqual(["a"]);
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
    expect(world.ids(world.letters)).toEqual([]);
    expect(world.calls).toEqual([]);
  });

  it("is removed where a batch entry names it, and its open item leaves the list", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 5 });
    world.ledger.entries.push({ partition: 5, offset: sequence(3), ids: new Set(["a"]) });
    await expect(world.replay()).resolves.toMatchObject({ skipped: 1 });
    expect(world.ledger.items.get("a")?.state).toBe("applied");
    expect(world.ids(world.letters)).toEqual([]);
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
    expect(world.ids(world.letters)).toEqual(["bad"]);
    expect(world.letters.size()).toEqual({ visible: 1, inFlight: 0 });
    expect(world.ledger.effects).toEqual(["good"]);
  });

  it("is kept where it was written under another partition count", async () => {
    const old = replayWorld({ partitions: 16 });
    old.letter("a", { key: "order-1" });
    const world = replayWorld({ partitions: 17 });
    for (const message of old.letters.stored) world.letters.put(message);
    const result = await world.replay();
    expect(result.errors[0]?.error).toContain(
      "its key belongs to partition 8, but the letter was written for partition 13",
    );
    expect(world.ids(world.letters)).toEqual(["a"]);
  });
});

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
    expect(world.ids(world.letters)).toEqual(["a", "b"]);
    expect(world.letters.size()).toEqual({ visible: 2, inFlight: 0 });
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
    expect(world.ids(world.letters)).toEqual([]);
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
    expect(world.ids(world.letters)).toEqual(["a", "b"]);
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
    expect(world.ids(world.letters)).toEqual([]);
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

describe("two letters of one record", () => {
  it("become one replay, and the second is skipped", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 1, generation: 0 });
    world.letter("a", { offset: 1, generation: 1 });
    const result = await world.replay();
    expect(result).toMatchObject({ examined: 2, replayed: 1, skipped: 1 });
    expect(world.calls).toEqual(["a"]);
    expect(world.ids(world.letters)).toEqual([]);
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
    expect(world.ids(world.letters)).toEqual([]);
  });

  it("are renewed into groups of their own where they do not match, and say why they are there", async () => {
    const world = replayWorld();
    move(world, 25);
    const result = await world.replay({ filter: { ids: ["n20"] } });
    expect(result).toMatchObject({ replayed: 1, errors: [] });
    expect(world.ledger.effects).toEqual(["n20"]);
    const groups = world.letters.stored.map(({ group }) => group);
    expect(new Set(groups).size).toBe(24);
    expect(groups).not.toContain("5");
    const mark = world.letters.stored[0]?.attributes["deadLetter"]?.stringValue ?? "{}";
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
    world.letters.stored.length = 0;
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
    expect(world.letters.stored[0]).toMatchObject({ group: "a", attributes: extra });
    expect(world.letters.stored[0]?.attributes).not.toHaveProperty("deadLetter");
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
    expect(world.ids(world.letters)).toEqual([]);
  });
});

describe("what a run takes", () => {
  it("is what the filter wants, and the rest is given back at once", async () => {
    const world = replayWorld();
    world.letter("a", { partition: 1, reason: "out of stock" });
    world.letter("b", { partition: 1, reason: "bad item" });
    world.letter("c", { partition: 2, reason: "out of stock" });
    const result = await world.replay({ filter: { partition: 1, reason: "stock" } });
    expect(result).toMatchObject({ examined: 3, replayed: 1 });
    expect(world.ledger.effects).toEqual(["a"]);
    expect(world.letters.size()).toEqual({ visible: 2, inFlight: 0 });
  });

  it("is given back before the outcomes are waited for, where it was kept", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 1 });
    world.letter("bad", { offset: 2, key: "" });
    const running = world.start({}, 30_000);
    let midway: unknown;
    world.clock.after(10_000, () => {
      midway = world.letters.size();
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
    expect(world.letters.size()).toEqual({ visible: 27, inFlight: 0 });
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
    world.letters.receive(3_600_000);
    world.letter("older", { partition: 1, offset: 1 });
    world.letter("new", { partition: 1, offset: 3 });
    world.letter("elsewhere", { partition: 2, offset: 4 });
    const result = await world.replay();
    expect(result).toMatchObject({ replayed: 2, errors: [], truncated: true });
    expect(world.ledger.effects.toSorted()).toEqual(["elsewhere", "older"]);
    expect(world.ids(world.letters)).toEqual(["old", "new"]);
    expect(world.letters.size()).toEqual({ visible: 1, inFlight: 1 });
  });

  it("reports a listed letter that a complete scan did not find", async () => {
    const world = replayWorld();
    world.letter("gone", { offset: 1 });
    world.letters.stored.length = 0;
    world.letter("here", { offset: 2 });
    const result = await world.replay();
    expect(result).toMatchObject({ replayed: 1, truncated: false });
    expect(result.errors).toEqual([
      { id: "gone", error: expect.stringContaining("not in the dead-letter queue: expired") },
    ]);
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
    expect(world.letters.size()).toEqual({ visible: 20 - world.sends.length, inFlight: 0 });
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
      world.letters.stored.map(({ body, attributes }) => ({ body, attributes })),
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
    expect(world.letters.stored.map(({ body, attributes }) => ({ body, attributes }))).toEqual(
      before,
    );
    expect(world.letters.size()).toEqual({ visible: 3, inFlight: 0 });
  });

  it("does not renew what SQS moved, and says that more may be hidden", async () => {
    const world = replayWorld();
    for (let n = 0; n < 25; n += 1) world.native(`n${n}`);
    const result = await world.replay({ dryRun: true });
    expect(result).toMatchObject({ examined: 10, truncated: true, selected: { count: 10 } });
    expect(world.letters.stored.every(({ group }) => group === "5")).toBe(true);
    expect(world.ledger.items.size).toBe(0);
    expect(world.letters.size()).toEqual({ visible: 25, inFlight: 0 });
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
      expect(world.letters.size()).toEqual({ visible: 3, inFlight: 0 });
      expect(world.sends).toEqual([]);
    },
  );
});
