import { describe, expect, it } from "vitest";
import { discardLetters } from "../../../lambdas/core/letters/discard.ts";
import { letterOperations } from "../../../lambdas/core/letters/letter-operations.ts";
import { purgeLetter } from "../../../lambdas/core/letters/purge.ts";
import { replayOperations } from "../../../lambdas/core/letters/replay-operations.ts";
import { restoreLetters } from "../../../lambdas/core/letters/restore.ts";
import type { ReplayFilter } from "../../../lambdas/core/replay/replay-filter.ts";
import { dyingEverywhere, type LetterWorld, letterWorld } from "./letter-world.ts";

const discard = (world: LetterWorld, filter: ReplayFilter, limit = 1000) =>
  discardLetters(
    { filter, limit, requestedBy: "ann", why: "test account" },
    world.run(),
    world.ports(),
  );

const restore = (world: LetterWorld, ...ids: string[]) =>
  restoreLetters(ids, world.run(), world.ports());

async function replay(world: LetterWorld, fields: Readonly<Record<string, unknown>> = {}) {
  const prepared = replayOperations(world.ports()).replay({ why: "mended", ...fields });
  if (prepared.kind !== "writes") throw new Error("a replay writes");
  return prepared.perform(world.run(20));
}

async function plan(world: LetterWorld, filter: Readonly<Record<string, unknown>>) {
  const prepared = replayOperations(world.ports()).plan({ filter });
  if (prepared.kind !== "reads") throw new Error("a plan reads");
  return prepared.answer(world.run());
}

function threeLetters(): LetterWorld {
  const world = letterWorld();
  world.dead("a", { key: "ann" });
  world.dead("b", { key: "ben" });
  world.dead("c", { key: "cat" });
  return world;
}

describe("discarding letters", () => {
  it("takes them out of the list and leaves them in their queue", async () => {
    const world = threeLetters();
    const { answer, counts, letters } = await world.clock.run(discard(world, { key: "ben" }));
    expect(answer).toMatchObject({ discarded: ["b"], errors: [], truncated: false });
    expect(counts).toEqual({ discarded: 1, errors: 0 });
    expect(letters).toEqual([{ id: "b", outcome: "discarded", oldReason: "no gold" }]);
    expect(world.listed()).toEqual(["a", "c"]);
    expect(world.bodies("b")).toEqual(["old"]);
  });

  it("keeps them from every replay until they are restored", async () => {
    const world = threeLetters();
    await world.clock.run(discard(world, { ids: ["b"] }));
    await world.clock.run(replay(world));
    const sent = () => world.source.stored.map(({ attributes }) => attributes["id"]?.stringValue);
    expect(sent().toSorted()).toEqual(["a", "c"]);
    expect(world.queue.size()).toEqual({ visible: 1, inFlight: 0 });
    await world.clock.run(restore(world, "b"));
    expect(world.listed()).toContain("b");
    await world.clock.run(replay(world));
    expect(sent().toSorted()).toEqual(["a", "b", "c"]);
  });

  it("finds a letter behind more discarded ones than one receive returns", async () => {
    const world = letterWorld();
    for (let each = 0; each < 25; each += 1) world.dead(`d${each}`, { key: "ann" });
    world.dead("wanted", { key: "ben" });
    await world.clock.run(discard(world, { key: "ann" }));
    const { answer } = await world.clock.run(replay(world));
    expect(answer).toMatchObject({ examined: 1, truncated: false });
    expect(world.source.stored).toHaveLength(1);
  });

  it("refuses a replay that asks for one by name, and touches nothing", async () => {
    const world = threeLetters();
    await world.clock.run(discard(world, { ids: ["b"] }));
    await expect(world.clock.run(replay(world, { filter: { ids: ["a", "b"] } }))).rejects.toThrow(
      /b \(discarded\).*Nothing was touched/,
    );
    expect(world.source.stored).toHaveLength(0);
  });

  it("refuses a plan of one by name, and counts none among those that the ledger does not list", async () => {
    const world = threeLetters();
    await world.clock.run(discard(world, { ids: ["b"] }));
    await expect(world.clock.run(plan(world, { ids: ["b"] }))).rejects.toThrow(/b \(discarded\)/);
    const made = await world.clock.run(plan(world, {}));
    expect(made).toMatchObject({ counts: { ready: 2 }, notListed: 0 });
  });

  it("counts one that was discarded before, and names ids that are no letters", async () => {
    const world = threeLetters();
    await world.clock.run(discard(world, { ids: ["b"] }));
    const { answer } = await world.clock.run(discard(world, { ids: ["b", "x"] }));
    expect(answer.discarded).toEqual(["b"]);
    expect(answer.errors).toEqual([{ id: "x", error: expect.stringContaining("no such letter") }]);
  });

  it("says that more match than its limit, oldest first", async () => {
    const world = threeLetters();
    const { answer } = await world.clock.run(discard(world, {}, 2));
    expect(answer.truncated).toBe(true);
    expect(world.listed()).toHaveLength(1);
  });

  it("takes those that failed first, as a list with the same limit shows them", async () => {
    const world = letterWorld();
    for (const id of ["a", "b", "c"]) world.dead(id);
    const failed = (id: string, failedAtMs: number) => {
      const item = world.ledger.items.get(id);
      if (item !== undefined) world.ledger.items.set(id, { ...item, failedAtMs });
    };
    const nowMs = world.clock.nowMs();
    failed("a", nowMs - 1000);
    failed("b", nowMs - 3000);
    failed("c", nowMs - 2000);
    const { answer } = await world.clock.run(discard(world, {}, 2));
    expect(answer.discarded).toEqual(["b", "c"]);
  });

  it("is refused while another run has the lease", async () => {
    const world = threeLetters();
    const { ledger } = world.ports();
    const nowMs = world.clock.nowMs();
    const lease = { runId: "r", who: "ben", sinceMs: nowMs, expiresAtMs: nowMs + 60_000 };
    await world.clock.run(ledger.acquireLease(lease));
    await expect(world.clock.run(discard(world, {}))).rejects.toMatchObject({
      name: "ReplayHeldError",
      message: expect.stringContaining("requested by ben"),
    });
    expect(world.withheld()).toEqual([]);
  });

  it("stands for nothing once the record died again", async () => {
    const world = threeLetters();
    await world.clock.run(discard(world, { ids: ["b"] }));
    const item = world.ledger.items.get("b");
    if (item === undefined) throw new Error("there is a record b");
    await world.ledger.markDead(
      { ...item, generation: 1 },
      { reason: "again", failedAtMs: 1, attempts: 1, messageId: "m" },
    );
    expect(world.withheld()).toEqual([]);
    expect(world.listed()).toContain("b");
  });

  it("leaves those that SQS has deleted out, and says so of one that is named", async () => {
    const world = threeLetters();
    world.expire();
    world.dead("new");
    const { answer } = await world.clock.run(discard(world, {}));
    expect(answer).toMatchObject({ discarded: ["new"], errors: [] });
    const error = expect.stringContaining("SQS has deleted its letter");
    world.marked("b");
    const named = await world.clock.run(discard(world, { ids: ["a", "b"] }));
    expect(named.answer).toMatchObject({ discarded: [] });
    expect(named.answer.errors).toEqual([
      { id: "a", error },
      { id: "b", error },
    ]);
  });

  it("is complete when it is run again after a death at any call", async () => {
    const deaths = await dyingEverywhere(threeLetters, (world) => discard(world, {}), {
      dead: (world) => expect(world.bodies()).toHaveLength(3),
      after: (world) => expect(world.withheld()).toHaveLength(3),
    });
    expect(deaths).toBeGreaterThan(8);
  });
});

describe("a request that chooses letters", () => {
  it.each(["discard", "renew"] as const)("to %s is refused where its reason is empty", (verb) => {
    const { settings, ports } = letterWorld();
    const request = { filter: { reason: "" }, why: "test account" };
    expect(() => letterOperations(ports(), settings)[verb](request)).toThrow(
      /`filter\.reason`.*nothing was touched|nothing was touched.*`filter\.reason`/i,
    );
  });
});

describe("restoring letters", () => {
  it("lists them again, and names those that are not discarded", async () => {
    const world = threeLetters();
    await world.clock.run(discard(world, { ids: ["a", "b"] }));
    const { answer } = await world.clock.run(restore(world, "a", "b", "c", "x"));
    expect(answer.restored.toSorted()).toEqual(["a", "b", "c"]);
    expect(answer.errors).toEqual([{ id: "x", error: expect.stringContaining("not discarded") }]);
    expect(world.withheld()).toEqual([]);
  });

  it("claims nothing of letters that SQS has deleted, and writes nothing", async () => {
    const world = threeLetters();
    world.marked("a");
    world.expire();
    const { answer, letters } = await world.clock.run(restore(world, "a", "b"));
    expect(answer.restored).toEqual([]);
    const error = expect.stringMatching(/SQS has deleted its letter.*under a new id/);
    expect(answer.errors).toEqual([
      { id: "a", error },
      { id: "b", error },
    ]);
    expect(letters).toMatchObject([{ outcome: "kept" }, { outcome: "kept" }]);
    expect(world.withheld()).toEqual(["a discarded"]);
  });

  it("claims nothing of one that was purged", async () => {
    const world = threeLetters();
    world.marked("a");
    await world.clock.run(purgeLetter({ id: "a", requestedBy: "ann" }, world.run(), world.ports()));
    const { answer } = await world.clock.run(restore(world, "a", "b"));
    expect(answer.restored).toEqual(["b"]);
    expect(answer.errors).toEqual([{ id: "a", error: expect.stringContaining("purged") }]);
  });

  it("says so where one went on meanwhile", async () => {
    const world = threeLetters();
    world.marked("a");
    const ports = world.ports();
    const release = ports.marks.release.bind(ports.marks);
    ports.marks.release = async (record) => {
      await ports.marks.forget(record);
      return release(record);
    };
    const { answer } = await world.clock.run(restoreLetters(["a"], world.run(), ports));
    expect(answer.restored).toEqual([]);
    expect(answer.errors).toEqual([{ id: "a", error: expect.stringContaining("meanwhile") }]);
  });

  it("is complete when it is run again after a death at any call", async () => {
    const ids = ["a", "b", "c"];
    const discarded = () => {
      const world = threeLetters();
      for (const id of ids) world.marked(id);
      return world;
    };
    await dyingEverywhere(discarded, (world) => restore(world, ...ids), {
      dead: (world) => expect(world.bodies()).toHaveLength(3),
      after: (world) => expect(world.listed()).toHaveLength(3),
    });
  });
});
