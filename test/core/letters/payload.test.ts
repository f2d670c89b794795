import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { editLetter } from "../../../lambdas/core/letters/edit.ts";
import { payloadOperations } from "../../../lambdas/core/letters/letter-operations.ts";
import { purgeLetter } from "../../../lambdas/core/letters/purge.ts";
import { replayOperations } from "../../../lambdas/core/letters/replay-operations.ts";
import { showLetter } from "../../../lambdas/core/letters/show.ts";
import type { LetterMarks } from "../../../lambdas/core/letters/withheld.ts";
import { partitionOf } from "../../../lambdas/core/partition.ts";
import type { MessageAttributes } from "../../../lambdas/core/record.ts";
import type { ReplayPlan } from "../../../lambdas/core/replay/plan-replay.ts";
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

const lost = () => Promise.reject(new Error("the connection broke"));

/** One method of the marks loses its request, or its answer. */
function loseMark(marks: LetterMarks, call: keyof LetterMarks, when: "before" | "after"): void {
  const does = marks[call].bind(marks) as (...given: unknown[]) => Promise<never>;
  marks[call] = async (...given: unknown[]) => {
    if (when === "after") await does(...given);
    return lost();
  };
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

  it.each([
    { call: "withhold", when: "before", bodies: ["old"] },
    { call: "withhold", when: "after", bodies: ["old"] },
    { call: "noteSent", when: "before", bodies: ["old", "new"] },
    { call: "release", when: "before", bodies: ["new"] },
    { call: "release", when: "after", bodies: ["new"] },
  ] as const)("is unfinished where the ledger loses $call, $when it", async (fault) => {
    const { call, when, bodies } = fault;
    const world = twoLetters();
    const ports = world.ports();
    loseMark(ports.marks, call, when);
    const request = { id: "a", payload: "new", requestedBy: "ann", why: "typo" };
    await expect(world.clock.run(editLetter(request, world.run(), ports))).rejects.toMatchObject({
      name: "LetterUnfinishedError",
      message: expect.stringMatching(/No letter is lost.*again with the same payload/),
    });
    expect(world.bodies("a")).toEqual(bodies);
    await world.clock.run(edit(world));
    expect(world.bodies("a")).toEqual(["new"]);
    expect(world.withheld()).toEqual([]);
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

describe("editing a letter that cannot be read", () => {
  const MALFORMED = "malformed message: the body does not fit the `encoding` attribute";
  const gzip = { encoding: { dataType: "String", stringValue: "gzip" } };

  function unreadable(attributes: MessageAttributes = gzip): LetterWorld {
    const world = letterWorld();
    world.dead("a", { key: "ann", reason: MALFORMED, attributes });
    return world;
  }

  const reasons = (world: LetterWorld) => [
    world.ledger.items.get("a")?.reason,
    ...world.queue.stored.map(
      ({ attributes }) => JSON.parse(attributes["deadLetter"]?.stringValue ?? "{}").reason,
    ),
  ];

  async function classes(world: LetterWorld) {
    const prepared = replayOperations(world.ports()).plan({});
    if (prepared.kind !== "reads") throw new Error("a plan reads");
    const { counts } = (await world.clock.run(prepared.answer(world.run()))) as ReplayPlan;
    return Object.entries(counts).filter(([, count]) => count > 0);
  }

  it("makes it ready in the plan, and the letter says the same as the ledger", async () => {
    const world = unreadable();
    expect(await classes(world)).toEqual([["cannotRun", 1]]);
    const { answer } = await world.clock.run(edit(world));
    expect(answer).toMatchObject({ changed: true, digestBefore: digest("old") });
    const mended = `edited since: ${MALFORMED}`;
    expect(reasons(world)).toEqual([mended, mended]);
    expect(await classes(world)).toEqual([["ready", 1]]);
    expect(await replayed(world)).toEqual(["new"]);
  });

  it("drops an encoding that does not fit, though the text is the same", async () => {
    const world = unreadable();
    const { answer } = await world.clock.run(edit(world, "old"));
    expect(answer).toMatchObject({ changed: true, digestAfter: digest("old") });
    expect(world.queue.stored).toMatchObject([{ body: "old" }]);
    expect(world.queue.stored[0]?.attributes).not.toHaveProperty("encoding");
    expect(await classes(world)).toEqual([["ready", 1]]);
    expect((await world.clock.run(edit(world, "old"))).answer.changed).toBe(false);
  });

  it("leaves it unreadable where the payload is not what is wrong", async () => {
    const key = { dataType: "Binary", binaryValue: new Uint8Array([255]) };
    const world = unreadable({ key });
    await world.clock.run(edit(world));
    expect(reasons(world)).toEqual([MALFORMED, MALFORMED]);
    expect(await classes(world)).toEqual([["cannotRun", 1]]);
  });

  it("ends readable when it is run again after a death at any call", async () => {
    for (const payload of ["new", "old"]) {
      await dyingEverywhere(unreadable, (world) => edit(world, payload), {
        dead: (world) => expect(world.bodies("a").length).toBeGreaterThan(0),
        after(world) {
          expect(world.bodies("a")).toEqual([payload]);
          expect(new Set(reasons(world))).toEqual(new Set([`edited since: ${MALFORMED}`]));
          expect(world.withheld()).toEqual([]);
        },
      });
    }
  });
});

describe("letters that SQS moved, of which those in hand hide the rest of their partition", () => {
  function moved(count: number): LetterWorld {
    const world = twoLetters();
    for (let each = 1; each <= count; each += 1) world.moved(`m${each}`, "cat", `moved ${each}`);
    return world;
  }

  const bodies = (count: number) =>
    ["old", "other", ...Array.from({ length: count }, (_, n) => `moved ${n + 1}`)].toSorted();

  it("hide none from a look, which brings them to light and lists them", async () => {
    const world = moved(25);
    expect((await world.clock.run(show(world))).answer.payload).toBe("old");
    expect((await world.clock.run(show(world, "m25"))).answer.payload).toBe("moved 25");
    expect((await world.clock.run(show(world, "m1"))).answer).toMatchObject({ copies: 1 });
    expect(world.bodies().toSorted()).toEqual(bodies(25));
    expect(world.queue.size().inFlight).toBe(0);
    expect(world.listed()).toContain("m1");
  });

  it("hide none from an edit and a purge", async () => {
    const world = moved(12);
    await world.clock.run(edit(world));
    expect(world.bodies("a")).toEqual(["new"]);
    const other = moved(12);
    other.marked("a");
    await other.clock.run(purge(other));
    expect(other.bodies("a")).toEqual([]);
  });

  it("are left as they are where they hide nothing", async () => {
    const world = moved(3);
    const before = world.queue.stored.map(({ messageId }) => messageId);
    expect((await world.clock.run(show(world, "m3"))).answer.payload).toBe("moved 3");
    expect(world.queue.stored.map(({ messageId }) => messageId)).toEqual(before);
  });

  it("are not all held in memory where they are large", async () => {
    const world = twoLetters();
    const keys = new Map(
      Array.from({ length: 200 }, (_, n) => [partitionOf(`p${n}`, 16), `p${n}`] as const),
    );
    // One of each partition, so that none hides another.
    for (const [n, key] of keys) world.moved(`m${n}`, key, "x".repeat(1_000_000));
    await world.clock.run(show(world));
    const asTheyWere = world.queue.stored.filter(({ messageId }) =>
      messageId.startsWith("source-"),
    );
    expect(asTheyWere.length).toBeLessThan(10);
    expect(world.bodies()).toHaveLength(18);
  });

  it("are not taken out of their being discarded", async () => {
    const world = moved(11);
    world.buried("m3");
    world.marked("m3");
    await world.clock.run(show(world)).catch(() => undefined);
    expect(world.withheld()).toEqual(["m3 discarded"]);
  });

  it("lose nothing to a death at any call, and are all seen after it", async () => {
    const all = new Set(bodies(12));
    const deaths = await dyingEverywhere(() => moved(12), show, {
      dead: (world) => expect(new Set(world.bodies())).toEqual(all),
      after: (world) => expect(new Set(world.bodies())).toEqual(all),
    });
    expect(deaths).toBeGreaterThan(60);
  });

  it("are left in peace once the ledger does not answer: nothing goes on behind the error", async () => {
    const world = moved(40);
    const ports = world.ports();
    const markDead = ports.records.markDead.bind(ports.records);
    let asked = 0;
    ports.records.markDead = (...given) => {
      asked += 1;
      return asked === 1 ? lost() : markDead(...given);
    };
    const request = { id: "a", requestedBy: "ann" };
    await expect(world.clock.run(showLetter(request, world.run(), ports))).rejects.toThrow(
      "the connection broke",
    );
    const calls = world.calls();
    await world.clock.run(world.clock.sleep(5000));
    expect(world.calls()).toBe(calls);
    expect(world.queue.size().inFlight).toBe(0);
  });

  it("stay where the record has another letter of another content", async () => {
    const world = moved(12);
    world.dead("m1", { key: "cat", body: "published again" });
    // Past the five minutes in which SQS would take the one for the other.
    world.clock.block(600_000);
    await world.clock.run(show(world).catch(() => undefined));
    expect(world.bodies("m1").toSorted()).toEqual(["moved 1", "published again"]);
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

  it.each(["remove", "forget"])("is unfinished where a purge loses its %s", async (call) => {
    const world = twoLetters();
    world.marked("a");
    const ports = world.ports();
    if (call === "forget") loseMark(ports.marks, "forget", "before");
    else ports.letters.remove = lost;
    const request = { id: "a", requestedBy: "ann" };
    await expect(world.clock.run(purgeLetter(request, world.run(), ports))).rejects.toMatchObject({
      name: "LetterUnfinishedError",
      message: expect.stringContaining("stays discarded until it is purged again"),
    });
    expect(world.withheld()).toEqual(["a discarded"]);
    await world.clock.run(purge(world));
    expect(world.bodies("a")).toEqual([]);
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
