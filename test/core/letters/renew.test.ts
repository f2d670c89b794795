import { describe, expect, it } from "vitest";
import type { RenewalPorts } from "../../../lambdas/core/letters/letter-ports.ts";
import { type RenewRequest, renewLetters } from "../../../lambdas/core/letters/renew.ts";
import { DAY_MS, dyingEverywhere, type LetterWorld, letterWorld } from "./letter-world.ts";

const WITHIN_DAYS = 4;

const renew = (
  world: LetterWorld,
  given: Partial<RenewRequest> = {},
  ports: RenewalPorts = world.ports(),
) =>
  renewLetters(
    {
      filter: {},
      limit: 1000,
      requestedBy: "ann",
      why: "holidays",
      expiringWithinSeconds: WITHIN_DAYS * 86_400,
      ...given,
    },
    world.run(),
    ports,
  );

/** Two letters with three days left, and one that is new. */
function oldLetters(): LetterWorld {
  const world = letterWorld();
  world.dead("a", { key: "ann", body: "A" });
  world.dead("b", { key: "ben", body: "B" });
  world.clock.block(11 * DAY_MS);
  world.dead("new", { key: "cat", body: "N" });
  return world;
}

const sentAt = (world: LetterWorld, body: string) =>
  world.queue.stored.filter((message) => message.body === body).map((message) => message.sentAtMs);

describe("renewing letters", () => {
  it("sends those near their end again, as they were, and leaves the others", async () => {
    const world = oldLetters();
    const before = world.queue.stored.map(({ attributes, group }) => ({ attributes, group }));
    const startMs = world.clock.nowMs();
    const { answer, counts } = await world.clock.run(renew(world));
    expect(answer).toMatchObject({ settled: [], errors: [], truncated: false });
    expect(answer.renewed.toSorted()).toEqual(["a", "b"]);
    expect(counts).toEqual({ renewed: 2, settled: 0, errors: 0 });
    expect(world.bodies().toSorted()).toEqual(["A", "B", "N"]);
    expect(world.queue.stored.map(({ attributes, group }) => ({ attributes, group }))).toEqual(
      expect.arrayContaining(before),
    );
    for (const body of ["A", "B"]) expect(sentAt(world, body)[0]).toBeGreaterThanOrEqual(startMs);
    expect(sentAt(world, "N")).toEqual([startMs]);
    expect(world.sentAt.get("a")).toBeGreaterThanOrEqual(startMs);
    expect(world.sentAt.has("new")).toBe(false);
    expect(world.queue.size().inFlight).toBe(0);
  });

  it("does nothing the second time", async () => {
    const world = oldLetters();
    await world.clock.run(renew(world));
    const after = sentAt(world, "A");
    const { answer } = await world.clock.run(renew(world));
    expect(answer.renewed).toEqual([]);
    expect(sentAt(world, "A")).toEqual(after);
  });

  it("takes those that match, and says that its limit left some", async () => {
    const world = oldLetters();
    const some = await world.clock.run(renew(world, { filter: { key: "ben" } }));
    expect(some.answer).toMatchObject({ renewed: ["b"], truncated: false });
    const other = oldLetters();
    const limited = await other.clock.run(renew(other, { limit: 1 }));
    expect(limited.answer).toMatchObject({ truncated: true });
    expect(limited.answer.renewed).toHaveLength(1);
  });

  it("sees past ten letters of one partition that SQS moved and that do not match", async () => {
    const world = letterWorld();
    for (let each = 1; each <= 15; each += 1) world.moved(`m${each}`, "cat");
    world.moved("wanted", "cat", "wanted");
    const request = { filter: { ids: ["wanted"] }, expiringWithinSeconds: 14 * 86_400 };
    const { answer } = await world.clock.run(renew(world, request));
    expect(answer).toMatchObject({ renewed: ["wanted"], errors: [], truncated: false });
    expect(world.bodies()).toHaveLength(16);
  });

  it("leaves discarded letters to their end", async () => {
    const world = oldLetters();
    world.marked("a");
    const { answer } = await world.clock.run(renew(world));
    expect(answer.renewed).toEqual(["b"]);
    expect(world.withheld()).toEqual(["a discarded"]);
  });

  it("removes the letter of a record that was applied", async () => {
    const world = oldLetters();
    const item = world.ledger.items.get("a");
    if (item === undefined) throw new Error("there is a record a");
    await world.ledger.markApplied(item);
    const { answer } = await world.clock.run(renew(world));
    expect(answer).toMatchObject({ settled: ["a"], renewed: ["b"] });
    expect(world.bodies("a")).toEqual([]);
  });

  it("lists a letter that a crash had left unlisted, and keeps which message died", async () => {
    const world = letterWorld();
    world.dead("lost", { listed: false });
    world.dead("known");
    world.clock.block(11 * DAY_MS);
    await world.clock.run(renew(world));
    expect(world.listed().toSorted()).toEqual(["known", "lost"]);
    expect(world.ledger.items.get("known")?.messageId).toBe("source-known");
  });

  it("keeps a letter that SQS does not take, and its true time", async () => {
    const world = oldLetters();
    const sentMs = sentAt(world, "A")[0];
    world.sendOutcome = "refused";
    const { answer } = await world.clock.run(renew(world));
    expect(answer.renewed).toEqual([]);
    expect(answer.errors).toContainEqual({ id: "a", error: expect.stringContaining("refused") });
    expect(world.sentAt.get("a")).toBe(sentMs);
    expect(world.bodies()).toHaveLength(3);
  });

  it("says that the ledger tells a wrong time, where neither the send nor the true time went through", async () => {
    const world = oldLetters();
    world.sendOutcome = "refused";
    const ports = world.ports();
    const noteSent = ports.marks.noteSent.bind(ports.marks);
    ports.marks.noteSent = (id, sentAtMs) =>
      sentAtMs < world.clock.nowMs() - DAY_MS
        ? Promise.reject(new Error("the connection broke"))
        : noteSent(id, sentAtMs);
    const { answer } = await world.clock.run(renew(world, {}, ports));
    expect(answer.renewed).toEqual([]);
    expect(answer.errors).toContainEqual({
      id: "a",
      error: expect.stringMatching(
        /could not be sent \(refused.*lists a later end than the letter has.*run again/,
      ),
    });
  });

  it("has the ledger list a letter that SQS had moved with its new end", async () => {
    const world = letterWorld();
    world.moved("m", "ann");
    world.clock.block(11 * DAY_MS);
    const { answer } = await world.clock.run(renew(world));
    expect(answer).toMatchObject({ renewed: ["m"], errors: [], truncated: false });
    const [sentAtMs = 0] = sentAt(world, "moved");
    const listedMs = world.ledger.items.get("m")?.letterSentAtMs ?? 0;
    expect(Math.abs(listedMs - sentAtMs)).toBeLessThan(1000);
  });

  it("keeps a letter of which it cannot tell whether it was applied", async () => {
    const world = oldLetters();
    const standings = world.ledger.standings.bind(world.ledger);
    world.ledger.standings = async (records) =>
      (await standings(records)).map((standing) => ({ ...standing, entry: "unknown" as const }));
    const { answer } = await world.clock.run(renew(world));
    expect(answer.renewed).toEqual([]);
    expect(answer.errors).toHaveLength(2);
  });

  it("loses nothing and ends renewed after a death at any call", async () => {
    const deaths = await dyingEverywhere(oldLetters, renew, {
      dead(world) {
        for (const body of ["A", "B", "N"]) expect(world.bodies()).toContain(body);
      },
      after(world) {
        const dayAgoMs = world.clock.nowMs() - DAY_MS;
        for (const [id, body] of [["a", "A"] as const, ["b", "B"] as const]) {
          const times = sentAt(world, body);
          expect(Math.max(...times)).toBeGreaterThan(dayAgoMs);
          expect(world.sentAt.get(id)).toBeGreaterThan(dayAgoMs);
        }
        expect(world.listed().toSorted()).toEqual(["a", "b", "new"]);
      },
    });
    expect(deaths).toBeGreaterThan(20);
  });
});
