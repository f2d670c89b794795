import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { editLetter } from "../../../lambdas/core/letters/edit.ts";
import { payloadOperations } from "../../../lambdas/core/letters/letter-operations.ts";
import { purgeLetter } from "../../../lambdas/core/letters/purge.ts";
import { replayOperations } from "../../../lambdas/core/letters/replay-operations.ts";
import { showLetter } from "../../../lambdas/core/letters/show.ts";
import { dyingEverywhere, type LetterWorld, letterWorld } from "./letter-world.ts";

const digest = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");

const edit = (world: LetterWorld, payload: string | Uint8Array = "new", id = "a") =>
  editLetter({ id, payload, requestedBy: "ann", why: "typo" }, world.run(), world.ports());

const show = (world: LetterWorld, id = "a") =>
  showLetter({ id, requestedBy: "ann" }, world.run(), world.ports());

const purge = (world: LetterWorld, id = "a") =>
  purgeLetter({ id, requestedBy: "ann" }, world.run(), world.ports());

function twoLetters(): LetterWorld {
  const world = letterWorld();
  world.dead("a", { key: "ann", attributes: { shard: { dataType: "String", stringValue: "7" } } });
  world.dead("b", { key: "ben", body: "other" });
  return world;
}

async function replayed(world: LetterWorld): Promise<readonly string[]> {
  const prepared = replayOperations(world.ports()).replay({});
  if (prepared.kind !== "writes") throw new Error("a replay writes");
  await world.clock.run(prepared.perform(world.run(20)));
  return world.source.stored.map(({ body }) => body);
}

describe("editing a letter", () => {
  it("replaces the payload and nothing else, and keeps both digests", async () => {
    const world = twoLetters();
    const before = world.queue.stored[0]?.attributes;
    const { answer, letters } = await world.clock.run(edit(world));
    const digests = { digestBefore: digest("old"), digestAfter: digest("new") };
    expect(answer).toMatchObject({ id: "a", changed: true, ...digests });
    expect(letters).toEqual([{ id: "a", outcome: "edited", oldReason: "no gold", ...digests }]);
    expect(world.edits.get("a")).toEqual(digests);
    expect(world.bodies("a")).toEqual(["new"]);
    expect(world.queue.stored.at(-1)?.attributes).toEqual(before);
    expect(world.listed().toSorted()).toEqual(["a", "b"]);
    expect(world.queue.size().inFlight).toBe(0);
  });

  it("carries bytes in base64, and says so in the letter", async () => {
    const world = twoLetters();
    await world.clock.run(edit(world, new Uint8Array([255, 0])));
    const { answer } = await world.clock.run(show(world));
    expect(answer).toMatchObject({ payload: null, payloadBase64: "/wA=" });
    await world.clock.run(edit(world, "text again"));
    expect((await world.clock.run(show(world))).answer.payload).toBe("text again");
  });

  it("changes nothing the second time", async () => {
    const world = twoLetters();
    await world.clock.run(edit(world));
    const { answer } = await world.clock.run(edit(world));
    expect(answer.changed).toBe(false);
    expect(world.bodies("a")).toEqual(["new"]);
  });

  it.each([
    { why: "a record that is no letter", id: "x", text: "does not list", spoil: () => {} },
    {
      why: "one that is discarded",
      id: "a",
      text: "restore it",
      spoil: (world: LetterWorld) => world.marked("a"),
    },
    {
      why: "a letter that others hold",
      id: "a",
      text: "Not all letters",
      spoil: (world: LetterWorld) => {
        world.hidden = 1;
      },
    },
    {
      why: "a queue that refuses the new one",
      id: "a",
      text: "refused",
      spoil: (world: LetterWorld) => {
        world.sendOutcome = "refused";
      },
    },
  ])("refuses $why, and changes nothing", async ({ id, text, spoil }) => {
    const world = twoLetters();
    spoil(world);
    const withheld = world.withheld();
    await expect(world.clock.run(edit(world, "new", id))).rejects.toMatchObject({
      name: "LetterRefusedError",
      message: expect.stringContaining(text),
    });
    expect(world.bodies().toSorted()).toEqual(["old", "other"]);
    expect(world.withheld()).toEqual(withheld);
  });

  it("refuses a payload that no message can carry", async () => {
    const world = twoLetters();
    await expect(world.clock.run(edit(world, "x".repeat(1_048_576)))).rejects.toThrow("1048576");
    expect(world.bodies("a")).toEqual(["old"]);
    expect(world.withheld()).toEqual([]);
  });

  it("withholds the record while it is not known whether the new letter was taken", async () => {
    const world = twoLetters();
    world.sendOutcome = "lost";
    await expect(world.clock.run(edit(world))).rejects.toMatchObject({
      name: "LetterUnfinishedError",
    });
    expect(world.withheld()).toEqual(["a editing"]);
    world.sendOutcome = "accepted";
    expect(await replayed(world)).toEqual(["other"]);
    await world.clock.run(edit(world));
    expect(world.bodies("a")).toEqual(["new"]);
  });

  it("never lets a replay send the old payload after a death, and completes when run again", async () => {
    const deaths = await dyingEverywhere(twoLetters, edit, {
      dead: (world) => expect(world.bodies("a").length).toBeGreaterThan(0),
      after(world) {
        expect(world.bodies("a")).toEqual(["new"]);
        expect(world.withheld()).toEqual([]);
      },
    });
    expect(deaths).toBeGreaterThan(20);
  });

  it("never lets a replay choose between two payloads", async () => {
    for (let call = 1; call < 20; call += 1) {
      const world = twoLetters();
      world.death = { call, when: "after" };
      await world.clock.run(edit(world).catch(() => undefined));
      world.later();
      const copies = world.bodies("a");
      const sent = await replayed(world);
      expect(sent.filter((body) => body !== "other")).toEqual(
        world.withheld().length > 0 ? [] : copies,
      );
      expect(copies.length).toBeGreaterThan(0);
    }
  });
});

describe("what only administrators may", () => {
  it("shows a payload with the game's own attributes, and gives the letters back", async () => {
    const world = twoLetters();
    const { answer, letters } = await world.clock.run(show(world));
    expect(answer).toMatchObject({
      id: "a",
      payload: "old",
      attributes: { shard: "7" },
      digest: digest("old"),
      copies: 1,
    });
    expect(letters).toEqual([{ id: "a", outcome: "shown", oldReason: "no gold" }]);
    expect(world.queue.size()).toEqual({ visible: 2, inFlight: 0 });
  });

  it("purges a discarded letter for good, and keeps the digest of what it was", async () => {
    const world = twoLetters();
    world.marked("a");
    const { answer, letters } = await world.clock.run(purge(world));
    expect(answer.removed).toBe(1);
    expect(letters).toMatchObject([{ outcome: "purged", digestBefore: digest("old") }]);
    expect(world.bodies()).toEqual(["other"]);
    expect(world.withheld()).toEqual([]);
  });

  it("does not purge what is not discarded", async () => {
    const world = twoLetters();
    await expect(world.clock.run(purge(world))).rejects.toThrow("discard it first");
    expect(world.bodies()).toHaveLength(2);
  });

  it("is purged when it is run again after a death at any call", async () => {
    const discarded = () => {
      const world = twoLetters();
      world.marked("a");
      return world;
    };
    await dyingEverywhere(
      discarded,
      (world) =>
        purge(world).catch((error: Error) => {
          // Nothing is left to do where the death came after the last write.
          if (!error.message.includes("discard it first")) throw error;
        }),
      {
        dead: (world) => expect(world.bodies("b")).toHaveLength(1),
        after(world) {
          expect(world.bodies("a")).toEqual([]);
          expect(world.withheld()).toEqual([]);
        },
      },
    );
  });

  it("refuses an edit where the stack does not allow it", () => {
    const operations = payloadOperations(letterWorld().ports(), { allowEdit: false });
    expect(() => operations.edit({ id: "a", payload: "x", why: "typo" })).toThrow("allowEdit");
  });

  it.each([
    { fields: { id: "a", payload: "x" }, text: "`why`", why: "no reason" },
    { fields: { id: "a", why: "w" }, text: "`payload`", why: "no payload" },
    {
      fields: { id: "a", why: "w", payload: "x", payloadBase64: "eA==" },
      text: "one of",
      why: "two",
    },
    {
      fields: { id: "a", why: "w", payload: "x", extra: 1 },
      text: "extra",
      why: "an unknown field",
    },
    { fields: { id: "", why: "w", payload: "x" }, text: "`id`", why: "an empty id" },
  ])("refuses an edit with $why", ({ fields, text }) => {
    const operations = payloadOperations(letterWorld().ports(), { allowEdit: true });
    expect(() => operations.edit(fields)).toThrow(text);
  });
});
