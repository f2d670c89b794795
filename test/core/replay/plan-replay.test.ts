import { describe, expect, it } from "vitest";
import { fingerprintOf, groupIdOf } from "../../../lambdas/core/fingerprint.ts";
import { planReplay } from "../../../lambdas/core/replay/plan-replay.ts";
import { parsePlanRequest } from "../../../lambdas/core/replay/replay-request.ts";
import { KEYS } from "../drain/drain-stage.ts";
import { replayWorld, type World } from "./replay-world.ts";

const KEY = KEYS[5] ?? "";
const OTHER = KEYS[6] ?? "";
const HOUR_MS = 3_600_000;

function plan(world: World, event: unknown = {}) {
  const request = parsePlanRequest(event, world.settings);
  return world.clock.run(planReplay(request, world.ports()));
}

const classesOf = async (world: World, event: unknown = {}) =>
  Object.fromEntries((await plan(world, event)).letters.map((one) => [one.id, one.class]));

describe("a plan", () => {
  it("puts each letter in its class", async () => {
    const world = replayWorld();
    world.letter("behind", { offset: 50 });
    world.letter("overtaken", { offset: 10 });
    world.letter("applied", { offset: 20, key: OTHER });
    world.letter("keyless", { offset: 30, key: "" });
    world.letter("bad", { offset: 40, key: OTHER, reason: "malformed message: no key" });
    world.applied(5, { first: KEY });
    world.applied(15, { later: KEY });
    world.applied(20, { applied: OTHER });
    expect(await classesOf(world)).toEqual({
      overtaken: { kind: "overtaken", by: 1, atLeast: false },
      behind: { kind: "ready" },
      applied: { kind: "applied" },
      keyless: { kind: "cannot-run", why: expect.stringContaining("empty key") },
      bad: { kind: "cannot-run", why: expect.stringContaining("unreadable") },
    });
    expect((await plan(world)).counts).toEqual({
      ready: 1,
      overtaken: 1,
      applied: 1,
      cannotRun: 2,
      held: 0,
      expired: 0,
    });
  });

  it("writes nothing and receives nothing", async () => {
    const world = replayWorld();
    world.letter("a");
    for (const call of ["receive", "renew", "remove", "markApplied", "markDead", "acquireLease"]) {
      world.faults.set(`${call} *`, "failed");
    }
    expect((await plan(world)).counts.ready).toBe(1);
    expect(world.letterQueue.stored.every(({ receives }) => receives === 0)).toBe(true);
  });

  it("counts all records of a batch of one key, and says `at least` where a batch has several", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 1 });
    world.applied(2, { b: KEY, c: KEY, d: KEY });
    expect(await classesOf(world)).toEqual({ a: { kind: "overtaken", by: 3, atLeast: false } });
    world.applied(9, { e: KEY, f: KEY, g: OTHER });
    expect(await classesOf(world)).toEqual({ a: { kind: "overtaken", by: 4, atLeast: true } });
  });

  it("counts what came behind a record in its own batch", async () => {
    const world = replayWorld();
    const nowMs = world.clock.nowMs();
    world.letter("a", { offset: 5 });
    world.applied(2, { earlier: KEY }, nowMs + 1);
    world.applied(4, { before: KEY, behind: KEY }, nowMs + 1);
    expect(await classesOf(world)).toEqual({ a: { kind: "overtaken", by: 2, atLeast: false } });
    const alone = replayWorld();
    alone.letter("a", { offset: 5 });
    alone.applied(4, { before: KEY }, nowMs - 1);
    expect(await classesOf(alone)).toEqual({ a: { kind: "ready" } });
  });

  it("does not know where the partition has no batch entries, and says so", async () => {
    const world = replayWorld();
    world.letter("a");
    expect(await plan(world)).toMatchObject({
      unknown: 1,
      letters: [{ class: { kind: "ready", overtaken: "unknown" } }],
    });
  });

  it("reads 10,000 entries of a partition at most, and says `at least` then", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 0 });
    for (let n = 1; n <= 10_050; n += 1) world.applied(n, { [`r${n}`]: KEY });
    expect(await classesOf(world)).toEqual({
      a: { kind: "overtaken", by: 10_000, atLeast: true },
    });
  });

  it("holds a letter behind an earlier one of its key that was not chosen", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 1 });
    world.letter("b", { offset: 2 });
    world.letter("c", { offset: 3, key: OTHER });
    const classes = await classesOf(world, { filter: { ids: ["b", "c"] } });
    expect(classes).toMatchObject({ b: { kind: "held", behind: "a" }, c: { kind: "ready" } });
  });

  it("holds nothing behind a letter that SQS has deleted", async () => {
    const world = replayWorld();
    const longAgoMs = world.clock.nowMs() - world.settings.letterRetentionSeconds * 1000 - HOUR_MS;
    world.letter("gone", { offset: 1, failedAtMs: longAgoMs });
    world.letter("b", { offset: 2 });
    expect(await classesOf(world)).toMatchObject({ gone: { kind: "expired" } });
    expect(await classesOf(world, { filter: { ids: ["b"] } })).toMatchObject({
      b: { kind: "ready" },
    });
  });

  it("chooses by the group of the reason", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 1, reason: "no item 17" });
    world.letter("b", { offset: 2, reason: "other" });
    const group = groupIdOf(fingerprintOf("no item 99"));
    expect(Object.keys(await classesOf(world, { filter: { group } }))).toEqual(["a"]);
  });

  it("covers the oldest up to its limit and says that more match", async () => {
    const world = replayWorld();
    for (const n of [3, 1, 2]) world.letter(`l${n}`, { offset: n });
    const made = await plan(world, { limit: 2 });
    expect(made).toMatchObject({ truncated: true, limit: 2 });
    expect(made.letters.map(({ id }) => id)).toEqual(["l1", "l2"]);
  });

  it("names its stack, and what the ledger does not list", async () => {
    const world = replayWorld();
    world.letter("a");
    world.letter("unlisted", { listed: false });
    expect(await plan(world)).toMatchObject({ ledger: "ledger", backlog: "backlog", notListed: 1 });
  });

  it("has a digest of its own for another class, generation, filter or use of overtaken ones", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 1 });
    const digests = [(await plan(world)).digest];
    expect((await plan(world)).digest).toBe(digests[0]);
    digests.push((await plan(world, { overtaken: false })).digest);
    digests.push((await plan(world, { filter: { partition: 5 } })).digest);
    world.applied(2, { b: KEY });
    digests.push((await plan(world)).digest);
    const item = world.ledger.items.get("a");
    if (item) world.ledger.items.set("a", { ...item, generation: 1 });
    digests.push((await plan(world)).digest);
    expect(new Set(digests).size).toBe(5);
  });
});
