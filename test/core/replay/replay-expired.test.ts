import { describe, expect, it } from "vitest";
import { EXPIRY_TOLERANCE_MS } from "../../../lambdas/core/letters/letter-expiry.ts";
import { planReplay } from "../../../lambdas/core/replay/plan-replay.ts";
import { parsePlanRequest } from "../../../lambdas/core/replay/replay-request.ts";
import { KEYS } from "../drain/drain-stage.ts";
import { replayWorld, type World } from "./replay-world.ts";

/** A record whose letter SQS deleted a minute ago, but for the tolerance. */
function expired(world: World, id: string, made: Parameters<World["letter"]>[1] = {}) {
  world.letter(id, { ...made, failedAtMs: lastMomentMs(world) - EXPIRY_TOLERANCE_MS - 60_000 });
  world.letterQueue.stored.pop();
}

/** Failed then, a letter ends now. */
function lastMomentMs({ clock, settings }: World) {
  return clock.nowMs() - settings.letterRetentionSeconds * 1000;
}

function plan(world: World, event: unknown = {}) {
  const request = parsePlanRequest(event, world.settings);
  return world.clock.run(planReplay(request, world.ports()));
}

describe("in a plan, records whose letter SQS has deleted", () => {
  it("are named apart and come last", async () => {
    const world = replayWorld();
    expired(world, "gone", { offset: 1 });
    world.letter("here", { offset: 2 });
    const made = await plan(world);
    expect(made.counts).toMatchObject({ ready: 1, cannotRun: 0, expired: 1 });
    expect(made.letters.map(({ id, class: { kind } }) => [id, kind])).toEqual([
      ["here", "ready"],
      ["gone", "expired"],
    ]);
  });

  it("use up no limit, and leave nothing to a next plan", async () => {
    const world = replayWorld();
    for (const n of [1, 2, 3]) expired(world, `gone${n}`, { offset: n });
    world.letter("here", { offset: 4 });
    expect(await plan(world, { limit: 1 })).toMatchObject({
      counts: { ready: 1, expired: 3 },
      truncated: false,
    });
  });

  it("are only those that the filter wants", async () => {
    const world = replayWorld();
    expired(world, "gone", { offset: 1 });
    expired(world, "other", { offset: 2, reason: "bad item" });
    const made = await plan(world, { filter: { reason: "bad" } });
    expect(made.letters.map(({ id }) => id)).toEqual(["other"]);
  });

  it("do not hide that the queue holds letters that the ledger does not list", async () => {
    const world = replayWorld();
    expired(world, "gone1", { offset: 1 });
    expired(world, "gone2", { offset: 2 });
    world.native("moved");
    expect(await plan(world)).toMatchObject({ notListed: 1 });
  });

  it("do not change its digest when the ledger forgets them", async () => {
    const world = replayWorld();
    expired(world, "gone", { offset: 1 });
    world.letter("here", { offset: 2 });
    const { digest } = await plan(world);
    world.ledger.items.delete("gone");
    expect((await plan(world)).digest).toBe(digest);
  });

  it("are not those whose letter may live still", async () => {
    const world = replayWorld();
    world.letter("late", { failedAtMs: lastMomentMs(world) - EXPIRY_TOLERANCE_MS + 60_000 });
    expect((await plan(world)).counts).toMatchObject({ ready: 1, expired: 0 });
  });
});

describe("in a run, records whose letter SQS has deleted", () => {
  it("use up no limit", async () => {
    const world = replayWorld();
    for (const n of [1, 2, 3]) expired(world, `gone${n}`, { offset: n });
    world.letter("here", { offset: 4 });
    await expect(world.replay({ limit: 1 })).resolves.toMatchObject({
      replayed: 1,
      truncated: false,
      left: { expired: 3 },
    });
  });

  it("do not keep it looking through the whole queue for them", async () => {
    const world = replayWorld();
    expired(world, "gone", { offset: 1 });
    for (let n = 2; n <= 41; n += 1) world.letter(`l${n}`, { offset: n });
    await expect(world.replay({ limit: 1 })).resolves.toMatchObject({ examined: 10, replayed: 1 });
  });

  it("hold no partition back where another reader hides letters", async () => {
    const world = replayWorld();
    world.letter("hidden", { partition: 2, offset: 9 });
    world.letterQueue.receive(3_600_000);
    expired(world, "gone", { partition: 1, offset: 1 });
    world.letter("here", { partition: 1, offset: 2 });
    await expect(world.replay()).resolves.toMatchObject({ replayed: 1, truncated: true });
    expect(world.ledger.effects).toEqual(["here"]);
  });

  it.each([{ overtaken: undefined }, { overtaken: true }])(
    "are counted as left, and are no errors, with `overtaken` $overtaken",
    async ({ overtaken }) => {
      const world = replayWorld();
      expired(world, "gone", { offset: 1 });
      world.letter("here", { offset: 2 });
      await expect(world.replay({ overtaken })).resolves.toMatchObject({
        replayed: 1,
        errors: [],
        left: { expired: 1 },
        truncated: false,
      });
    },
  );

  it("are said to be gone, each that was asked for by id", async () => {
    const world = replayWorld();
    expired(world, "gone", { offset: 1 });
    const { errors } = await world.replay({ filter: { ids: ["gone"] } });
    expect(errors).toEqual([
      { id: "gone", error: expect.stringMatching(/SQS deleted its letter.*under a new id/) },
    ]);
  });

  it("are counted in a dry run", async () => {
    const world = replayWorld();
    expired(world, "gone");
    await expect(world.replay({ dryRun: true })).resolves.toMatchObject({ left: { expired: 1 } });
  });
});

describe("a letter that is there though its time is over by the ledger", () => {
  const late = (world: World, id: string, offset: number) =>
    world.letter(id, { offset, failedAtMs: lastMomentMs(world) - 2 * EXPIRY_TOLERANCE_MS });

  it("is replayed, and not called left", async () => {
    const world = replayWorld();
    late(world, "late", 1);
    await expect(world.replay()).resolves.toMatchObject({ replayed: 1, left: { expired: 0 } });
  });

  it("is replayed by a run of a plan", async () => {
    const world = replayWorld();
    late(world, "late", 1);
    const { digest } = await plan(world);
    await expect(world.replay({ plan: { digest } })).resolves.toMatchObject({
      replayed: 1,
      left: { expired: 0 },
    });
  });

  it("stays where it was overtaken and such letters are not wanted", async () => {
    const world = replayWorld();
    late(world, "late", 1);
    world.applied(5, { later: KEYS[5] ?? "" });
    await expect(world.replay({ overtaken: false })).resolves.toMatchObject({
      replayed: 0,
      left: { overtaken: 1, expired: 0 },
    });
  });
});
