import { describe, expect, it } from "vitest";
import { planReplay } from "../../../lambdas/core/replay/plan-replay.ts";
import { parsePlanRequest } from "../../../lambdas/core/replay/replay-request.ts";
import { cancelReplay, replayStatus } from "../../../lambdas/core/replay/replay-status.ts";
import { KEYS } from "../drain/drain-stage.ts";
import { replayWorld, type World } from "./replay-world.ts";

const KEY = KEYS[5] ?? "";

const digestOf = async (world: World, event: unknown = {}) =>
  (await world.clock.run(planReplay(parsePlanRequest(event, world.settings), world.ports())))
    .digest;

describe("a run of a plan", () => {
  it("goes where nothing has changed", async () => {
    const world = replayWorld();
    world.letter("a");
    const plan = { digest: await digestOf(world) };
    await expect(world.replay({ plan })).resolves.toMatchObject({ replayed: 1 });
  });

  it("touches nothing where the letters changed, and says how they are now", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 1 });
    const plan = { digest: await digestOf(world) };
    world.letter("b", { offset: 2 });
    await expect(world.replay({ plan })).rejects.toMatchObject({
      name: "ReplayPlanChangedError",
      message: expect.stringContaining("now 2 are ready"),
    });
    expect(world.sends).toEqual([]);
    expect(world.letterQueue.stored.every(({ receives }) => receives === 0)).toBe(true);
    expect(world.lease()).toBeUndefined();
  });

  it("leaves letters that the plan did not list, and asks to go on", async () => {
    const world = replayWorld();
    world.letter("a", { offset: 1 });
    world.letter("unlisted", { offset: 2, listed: false });
    const plan = { digest: await digestOf(world) };
    await expect(world.replay({ plan })).resolves.toMatchObject({ replayed: 1, truncated: true });
    expect(world.ids(world.letterQueue)).toEqual(["unlisted"]);
  });
});

describe("overtaken letters", () => {
  it.each([
    { overtaken: false, replayed: 1, left: 1 },
    { overtaken: true, replayed: 2, left: 0 },
    { overtaken: undefined, replayed: 2, left: 0 },
  ])("with `overtaken` $overtaken: $replayed sent, $left left", async (row) => {
    const world = replayWorld();
    world.letter("old", { offset: 1 });
    world.letter("new", { offset: 9 });
    world.applied(5, { later: KEY });
    const { overtaken, replayed, left } = row;
    const result = await world.replay({ overtaken });
    expect(result).toMatchObject({ replayed, left: { overtaken: left } });
    expect(world.letterQueue.size()).toEqual({ visible: left, inFlight: 0 });
  });

  it("that the ledger does not list stay as well", async () => {
    const world = replayWorld();
    world.letter("old", { offset: 1, listed: false });
    world.applied(5, { later: KEY });
    const result = await world.replay({ overtaken: false });
    expect(result).toMatchObject({ replayed: 0, left: { overtaken: 1 } });
  });

  it("use up no limit", async () => {
    const world = replayWorld();
    world.letter("old", { offset: 1 });
    world.letter("new", { offset: 9 });
    world.applied(5, { later: KEY });
    await world.replay({ overtaken: false, limit: 1 });
    expect(world.ledger.effects).toEqual(["new"]);
  });
});

it("a held letter stays, whatever is said of overtaken ones", async () => {
  const world = replayWorld();
  world.letter("a", { offset: 1 });
  world.letter("b", { offset: 2 });
  const result = await world.replay({ overtaken: true, filter: { ids: ["b"] } });
  expect(result).toMatchObject({ replayed: 0, left: { held: 1 } });
  expect(world.sends).toEqual([]);
});

describe("letters that the ledger does not list", () => {
  it("stay behind an older letter of their key that the filter leaves out", async () => {
    const world = replayWorld();
    world.letter("older", { offset: 1, reason: "bad item" });
    world.letter("unlisted", { offset: 2, listed: false });
    const result = await world.replay({ overtaken: true, filter: { reason: "stock" } });
    expect(result).toMatchObject({ replayed: 0, left: { held: 1 } });
    expect(world.sends).toEqual([]);
  });

  it("go out behind an older letter of their key that goes out, too", async () => {
    const world = replayWorld();
    world.letter("older", { offset: 1 });
    world.letter("unlisted", { offset: 2, listed: false });
    const result = await world.replay({ overtaken: true });
    expect(result).toMatchObject({ replayed: 2, left: { held: 0 } });
    expect(world.ledger.effects).toEqual(["older", "unlisted"]);
  });
});

describe("a ramp", () => {
  it("waits for the outcomes of each step", async () => {
    const world = replayWorld();
    for (let n = 1; n <= 9; n += 1) world.letter(`l${n}`, { offset: n, partition: n });
    const running = world.start({ ramp: [1, 3] }, 60_000);
    const sentBefore: number[] = [];
    for (const atMs of [5000, 10_000, 15_000]) {
      world.clock.after(atMs, () => {
        sentBefore.push(world.sends.length);
        void world.consume();
      });
    }
    await world.clock.run(running);
    expect(sentBefore).toEqual([1, 4, 9]);
  });

  it("goes no further while a step has no outcome", async () => {
    const world = replayWorld();
    for (let n = 1; n <= 3; n += 1) world.letter(`l${n}`, { offset: n });
    const result = await world.clock.run(world.start({ ramp: [1] }, 30_000));
    expect(result).toMatchObject({ pending: 1, truncated: true });
    expect(world.sends).toHaveLength(1);
  });
});

describe("a limit of failures", () => {
  it("stops the run, which says with which fingerprint, and the rest stays", async () => {
    const world = replayWorld();
    for (let n = 1; n <= 9; n += 1) {
      world.letter(`l${n}`, { offset: n });
      world.failing.set(`l${n}`, `no stock of item ${n}`);
    }
    const result = await world.replay({ ramp: [1, 1, 1], stopAfterFailures: 2 });
    expect(result).toMatchObject({
      stopped: { fingerprint: "no stock of item <n>", failures: 2 },
      truncated: true,
    });
    expect(world.sends).toHaveLength(2);
    expect(world.letterQueue.size()).toEqual({ visible: 9, inFlight: 0 });
  });

  it("counts each reason for itself", async () => {
    const world = replayWorld();
    for (const [offset, id] of ["a", "b"].entries()) {
      world.letter(id, { offset });
      world.failing.set(id, `${id} is at fault`);
    }
    const result = await world.replay({ stopAfterFailures: 2 });
    expect(result.failed).toHaveLength(2);
    expect(result.stopped).toBeUndefined();
  });

  it("keeps no more than 100 letters without an outcome under way", async () => {
    const world = replayWorld();
    for (let n = 1; n <= 140; n += 1) world.letter(`l${n}`, { offset: n, partition: n % 16 });
    await world.clock.run(world.start({ stopAfterFailures: 1 }, 30_000));
    expect(world.sends.length).toBeGreaterThan(90);
    expect(world.sends.length).toBeLessThanOrEqual(110);
  });
});

describe("a running replay", () => {
  it("is shown, cancelled by its id, and then sends no more", async () => {
    const world = replayWorld();
    for (let n = 1; n <= 9; n += 1) world.letter(`l${n}`, { offset: n });
    const running = world.start({ ratePerSecond: 1, requestedBy: "ann" }, 60_000);
    let status: unknown;
    let answer: unknown;
    const look = async () => {
      status = await replayStatus(world.ports());
      answer = await cancelReplay("run-1", world.ports());
    };
    world.clock.after(2500, () => void look());
    const result = await world.clock.run(running);
    expect(status).toMatchObject({ lease: { runId: "run-1", who: "ann", cancelling: false } });
    expect(answer).toMatchObject({ runId: "run-1", cancelled: true, lease: { cancelling: true } });
    expect(result).toMatchObject({ cancelled: true, truncated: true });
    expect(world.sends.length).toBeLessThan(6);
    expect(world.letterQueue.size()).toEqual({ visible: 9 - world.sends.length, inFlight: 0 });
  });

  it("is not cancelled by the id of another", async () => {
    const world = replayWorld();
    const held = { runId: "run-7", who: "ann", sinceMs: 0, expiresAtMs: Number.MAX_SAFE_INTEGER };
    world.setLease({ ...held, expiresAtMs: world.clock.nowMs() + 1000 });
    await expect(world.clock.run(cancelReplay("run-6", world.ports()))).resolves.toMatchObject({
      cancelled: false,
      lease: { runId: "run-7" },
    });
  });

  it("is nobody once the lease has ended", async () => {
    const world = replayWorld();
    world.setLease({ runId: "dead", who: "ann", sinceMs: 0, expiresAtMs: world.clock.nowMs() });
    await expect(world.clock.run(replayStatus(world.ports()))).resolves.toEqual({ lease: null });
    await expect(world.clock.run(cancelReplay("dead", world.ports()))).resolves.toMatchObject({
      cancelled: false,
      lease: null,
    });
  });
});

it("a result says of each letter what it was and what became of it", async () => {
  const world = replayWorld();
  world.letter("good", { offset: 1, reason: "old" });
  world.letter("bad", { offset: 2, reason: "old" });
  world.letter("keyless", { offset: 3, key: "", reason: "old" });
  world.failing.set("bad", "new");
  const { letters, left } = await world.replay();
  expect(letters).toEqual([
    { id: "bad", outcome: "failed", oldReason: "old", newReason: "new" },
    { id: "keyless", outcome: "kept", oldReason: "old" },
    { id: "good", outcome: "replayed", oldReason: "old" },
  ]);
  expect(left).toEqual({ overtaken: 0, held: 0, cannotRun: 1, expired: 0 });
});
