import { expect, it } from "vitest";
import { replayWorld } from "./replay-world.ts";

it("a letter that SQS moved stays where it is while nobody knows of its renewal", async () => {
  const world = replayWorld();
  world.native("n0");
  world.faults.set("renew n0", "failed");
  world.faults.set("send n0", "failed");
  await world.replay();
  expect(world.ids(world.letterQueue)).toEqual(["n0"]);
  world.faults.clear();
  await expect(world.replay()).resolves.toMatchObject({ replayed: 1, truncated: false });
  expect(world.ledger.effects).toEqual(["n0"]);
});
