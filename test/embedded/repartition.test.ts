import { afterAll, beforeAll, expect, test } from "vitest";
import { partitionOf } from "../../lambdas/core/partition.ts";
import { deployGenerations, type Generations } from "./generations.ts";

const KEYS = Array.from({ length: 12 }, (_, index) => `player-${index}`);
const [BEFORE, AFTER] = [4, 32] as const;

let live: Generations;

beforeAll(async () => {
  live = await deployGenerations([BEFORE, AFTER]);
}, 120_000);

afterAll(() => live?.close());

test("moves to another partition count by docs/repartition.md with each key's order kept", async () => {
  const moved = KEYS.filter((key) => partitionOf(key, BEFORE) !== partitionOf(key, AFTER));
  expect(moved.length).toBeGreaterThan(0);

  // A record that fails holds its partition of the old generation across the switch.
  await live.publish([{ id: "first", key: "player-0", payload: "poison" }, ...round(1)]);
  await live.switchPublishers();
  await live.publish(round(2));

  live.measured(4, [await live.waiting("live"), await live.waiting("live")]);
  await expect(live.turnOn()).rejects.toThrow(
    /Expected the backlog live to be drained, got [1-9]\d* records .*Nothing was changed/,
  );

  // `publish` has switched as well, and all other verbs go on with the old generation.
  const published = await live.command(["publish", "live"], ndjson(round(3)));
  expect(published).toMatchObject({ exitCode: 0, errors: "" });

  await live.drained("live");
  expect(live.calls.filter(({ called }) => /^round-[23]/.test(called))).toEqual([]);
  expect(await live.waiting("live-g2")).toBe(2 * KEYS.length);

  const status = await live.command(["status", "live"]);
  expect(status.out).toMatch(/Waiting: 0 records.*\n(?:.*\n)*Dead letters: 1,/);
  const letters = await live.command(["letters", "list", "live", "--json"]);
  expect(JSON.parse(letters.out).list).toMatchObject([{ id: "first" }]);
  const givenUp = ["letters", "discard", "live", "--id", "first", "--yes", "--why", "given up"];
  expect(await live.command(givenUp)).toMatchObject({ exitCode: 0 });

  live.measured(2, [0, 0]);
  await live.turnOn();
  await live.drained("live-g2");
  for (const key of KEYS) {
    const called = live.calls.filter((call) => call.key === key && call.called !== "first");
    expect(called.map((call) => call.called)).toEqual(
      [1, 2, 3].map((number) => `round-${number}-${key}`),
    );
  }
}, 90_000);

function ndjson(records: readonly object[]) {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** One record of each key. */
function round(number: number) {
  return KEYS.map((key) => ({ id: `round-${number}-${key}`, key, payload: "paid" }));
}
