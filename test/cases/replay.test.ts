import { expect, it } from "vitest";
import { decodeReplay } from "../../lambdas/core/wire/wire-metadata.ts";
import { sequence } from "../core/replay/made-letters.ts";
import { replayWorld, type World } from "../core/replay/replay-world.ts";

const TEXT = { dataType: "String" } as const;

it("C06: keeps a letter that cannot be read, says why, and never hands it to the handler", async () => {
  const world = replayWorld();
  world.letter("bad", {
    body: "!!!not base64!!!",
    extra: { encoding: { ...TEXT, stringValue: "base64" } },
  });
  const { errors } = await world.replay();
  expect(errors).toEqual([{ id: "bad", error: expect.stringContaining("malformed message") }]);
  expect(world.letterQueue.stored).toMatchObject([{ body: "!!!not base64!!!" }]);
  expect(world.calls).toEqual([]);
});

it("C12: gives a replay one attempt and one letter; replays are counted by generation, not capped", async () => {
  const world = replayWorld();
  world.failing.set("A", "still poison");
  world.letter("A");
  for (const _ of [1, 2, 3]) await world.replay();
  expect(world.calls).toEqual(["A", "A", "A"]);
  expect(world.ids(world.letterQueue)).toEqual(["A"]);
  expect(world.ledger.items.get("A")).toMatchObject({ state: "dead", generation: 3 });
});

it("C23: keeps body, every attribute, group and first publish time", async () => {
  const world = replayWorld();
  const extra = {
    s: { ...TEXT, stringValue: "x" },
    n: { dataType: "Number", stringValue: "7" },
    b: { dataType: "Binary", binaryValue: new Uint8Array([0, 255]) },
  };
  const enqueuedAtMs = 1_600_000_000_000;
  world.letter("1", { key: "order-1", extra, enqueuedAtMs, offset: 9 });
  world.letter("2", { key: "order-2", extra, enqueuedAtMs, offset: 9 });
  await world.clock.run(world.start({}, 20_000));
  expect(world.source.stored.map(({ group }) => group)).toEqual(["13", "4"]);
  for (const { attributes } of world.source.stored) {
    expect(attributes).toMatchObject(extra);
    expect(decodeReplay(attributes["replay"] ?? TEXT)).toMatchObject({
      enqueuedAtMs,
      offset: sequence(9),
    });
  }
});

it("C35: keeps an attribute that is named like a member of every object", async () => {
  const world = replayWorld();
  const attribute = { ...TEXT, stringValue: "kept" };
  world.letter("a", { key: "constructor", extra: { ["__proto__"]: attribute } });
  await world.clock.run(world.start({}, 20_000));
  const [message] = world.source.stored;
  expect(Object.entries(message?.attributes ?? {})).toContainEqual(["__proto__", attribute]);
});

/** Publishes a record under its own id and takes it out again, as the consumer does with a letter. */
function publishedAndParked(world: World): void {
  const message = { body: "payload of a", attributes: {}, group: "5", deduplicationId: "a" };
  expect(world.source.send(message)).toBe("s-1");
  for (const { receiptHandle } of world.source.receive(1000)) world.source.remove(receiptHandle);
  world.clock.block(60_000);
  world.letter("a");
}

it("C24: replays within five minutes of the publish under an id of its own", async () => {
  const world = replayWorld();
  publishedAndParked(world);
  await world.clock.run(world.start({}, 20_000));
  expect(world.ids(world.source)).toEqual(["a"]);
  expect(world.ids(world.letterQueue)).toEqual([]);
});

it("C24: arrives once when a run dies between send and delete and is started again", async () => {
  const world = replayWorld();
  publishedAndParked(world);
  world.faults.set("remove a", "failed");
  await world.clock.run(world.start({}, 20_000));
  expect(world.ids(world.letterQueue)).toEqual(["a"]);
  world.faults.clear();
  await world.replay();
  expect(world.calls).toEqual(["a"]);
  expect(world.ids(world.letterQueue)).toEqual([]);
});

it.each([
  { when: "before the third send", replayed: 2, prepare: () => undefined, event: { limit: 2 } },
  {
    when: "after the third send, before its delete",
    replayed: 5,
    prepare: (world: World) => void world.faults.set("remove l3", "failed"),
    event: {},
  },
  {
    when: "by a third send that is refused",
    replayed: 4,
    prepare: (world: World) => void world.faults.set("send l3", "refused"),
    event: {},
  },
  {
    when: "by a third send without an answer",
    replayed: 2,
    prepare: (world: World) => void world.faults.set("send l3", "lost"),
    event: {},
  },
])("C28: loses no letter when a run is cut short $when, and the next ends it", async (row) => {
  const world = replayWorld();
  const all = ["l1", "l2", "l3", "l4", "l5"];
  for (const [offset, id] of all.entries()) world.letter(id, { offset });
  row.prepare(world);
  expect(await world.replay(row.event)).toMatchObject({ replayed: row.replayed });
  const somewhere = [...world.ledger.effects, ...world.ids(world.letterQueue)];
  expect([...new Set(somewhere)].toSorted()).toEqual(all);
  world.faults.clear();
  await world.replay();
  expect(world.ledger.effects.toSorted()).toEqual(all);
  expect(world.ids(world.letterQueue)).toEqual([]);
});

it("C30: keeps a letter with an empty key, reports it, and goes on with the others", async () => {
  const world = replayWorld();
  world.letter("nobody's", { key: "" });
  world.letter("somebody's", { key: "order-1" });
  const { replayed, skipped, errors } = await world.replay();
  expect({ replayed, skipped }).toEqual({ replayed: 1, skipped: 0 });
  expect(errors).toEqual([{ id: "nobody's", error: expect.stringContaining("empty key") }]);
  expect(world.ids(world.letterQueue)).toEqual(["nobody's"]);
});

it("C37: refuses a letter that was written under another partition count", async () => {
  const old = replayWorld({ partitions: 16 });
  old.letter("a", { key: "order-1" });
  const world = replayWorld({ partitions: 17 });
  for (const message of old.letterQueue.stored) world.letterQueue.put(message);
  const { errors } = await world.replay();
  expect(errors[0]?.error).toContain("partition 8, but the letter was written for partition 13");
  expect(world.ids(world.letterQueue)).toEqual(["a"]);
});

it("C38: sends bytes back as they came, without decoding them", async () => {
  const world = replayWorld();
  world.letter("a", { body: "AAcfi//+", extra: { encoding: { ...TEXT, stringValue: "base64" } } });
  await world.clock.run(world.start({}, 20_000));
  expect(world.source.stored).toMatchObject([
    { body: "AAcfi//+", attributes: { encoding: { stringValue: "base64" } } },
  ]);
});
