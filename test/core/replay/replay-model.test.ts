import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReplayPorts } from "../../../lambdas/core/replay/replay-ports.ts";
import type { Fault } from "./faulty-calls.ts";
import { sequence } from "./made-letters.ts";
import { replayWorld, type World } from "./replay-world.ts";

const IDS = Array.from({ length: 8 }, (_, n) => `r${n}`);

/** How one record came into the dead-letter queue. */
type Origin = "letter" | "unlisted" | "two letters" | "native" | "applied" | "applied native";

const origin = fc.constantFrom<Origin>(
  "letter",
  "unlisted",
  "two letters",
  "native",
  "applied",
  "applied native",
);

const fault = fc.record({
  call: fc.constantFrom("send", "renew", "remove", "standings", "markApplied", "markDead"),
  id: fc.constantFrom(...IDS, "*"),
  fault: fc.constantFrom<Fault>("refused", "lost", "failed"),
});

/** One run: when it starts, at which of its port calls its process dies, and whether the call that
 *  it dies in still takes effect. */
const run = fc.record({
  startMs: fc.integer({ min: 0, max: 3000 }),
  diesAt: fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined }),
  after: fc.boolean(),
});

describe("replays under faults", () => {
  it("lose nothing and apply nothing twice, whatever dies, is lost or runs at once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(origin, { minLength: IDS.length, maxLength: IDS.length }),
        fc.array(run, { minLength: 1, maxLength: 4 }),
        fc.array(fault, { maxLength: 3 }),
        fc.constantFrom(0, 400_000),
        fc.integer({ min: 0, max: 255 }),
        async (origins, runs, faults, pauseMs, failing) => {
          const world = replayWorld();
          origins.forEach((how, index) => {
            place(world, IDS[index] ?? "", index, how);
            if ((failing >> index) & 1) world.failing.set(IDS[index] ?? "", "not yet");
          });
          for (const { call, id, fault: kind } of faults) world.faults.set(`${call} ${id}`, kind);
          await faultyRuns(world, runs);
          expectNothingLost(world);
          await settle(world, pauseMs);
          expect(world.ids(world.letterQueue)).toEqual([]);
          expect(world.ledger.effects.toSorted()).toEqual(expectedEffects(origins));
          expect(openIds(world)).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
  }, 60_000);
});

function place(world: World, id: string, index: number, how: Origin): void {
  const made = { partition: index % 3, offset: index + 1 };
  switch (how) {
    case "letter":
    case "unlisted":
      world.letter(id, { ...made, listed: how === "letter" });
      return;
    case "two letters":
      world.letter(id, { ...made, generation: 0 });
      world.letter(id, { ...made, generation: 1 });
      return;
    case "applied":
      world.letter(id, made);
      break;
    case "native":
    case "applied native":
      world.native(id, { partition: made.partition });
      break;
    default:
      how satisfies never;
  }
  if (how === "native") return;
  const offset = sequence(made.offset);
  world.ledger.entries.push({ partition: made.partition, offset, ids: new Set([id]) });
}

/** Runs that ignore the lease, as after a lost one, with a consumer beside them. */
async function faultyRuns(
  world: World,
  runs: readonly { startMs: number; diesAt: number | undefined; after: boolean }[],
): Promise<void> {
  let over = false;
  const consumer = async () => {
    while (!over) {
      await world.consume();
      await world.clock.sleep(200);
    }
  };
  const started = runs.map(async ({ startMs, diesAt, after }) => {
    await world.clock.sleep(startMs);
    const mortal = mortalPorts(world.ports(), diesAt, after);
    const ended = world.start({}, 20_000, mortal.ports).catch(() => undefined);
    await Promise.race([ended, mortal.death]);
  });
  const all = Promise.all(started).finally(() => {
    over = true;
  });
  void consumer();
  await world.clock.run(all);
}

/** Ports whose process dies in its n-th call: nothing after it ever happens. */
function mortalPorts(ports: ReplayPorts, diesAt: number | undefined, after: boolean) {
  let calls = 0;
  let die = () => {};
  const death = new Promise<void>((resolve) => {
    die = resolve;
  });
  const never = new Promise<never>(() => {});
  const mortal = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return async (...given: unknown[]) => {
          calls += 1;
          if (diesAt === undefined || calls < diesAt) return method.apply(target, given);
          if (calls === diesAt && after) await method.apply(target, given).catch(() => undefined);
          die();
          return never;
        };
      },
    });
  const leaseless = {
    ...ports.ledger,
    acquireLease: async () => undefined,
    releaseLease: async () => undefined,
  };
  return {
    death,
    ports: {
      ...ports,
      letters: mortal(ports.letters),
      source: mortal(ports.source),
      records: mortal(ports.records),
      ledger: mortal(leaseless),
    },
  };
}

function expectNothingLost(world: World): void {
  const somewhere = new Set([
    ...world.ids(world.letterQueue),
    ...world.ids(world.source),
    ...world.ledger.effects,
    ...world.ledger.entries.flatMap(({ ids }) => [...ids]),
  ]);
  expect(IDS.filter((id) => !somewhere.has(id))).toEqual([]);
}

/** Everything is mended: letters of dead runs come back, and operators run again until all is done. */
async function settle(world: World, pauseMs: number): Promise<void> {
  world.faults.clear();
  world.failing.clear();
  await world.clock.run(world.clock.sleep(120_000 + pauseMs));
  for (let round = 0; round < 4; round += 1) {
    await world.replay();
    await world.clock.run(world.consume());
  }
}

function expectedEffects(origins: readonly Origin[]): readonly string[] {
  return IDS.filter((_, index) => !origins[index]?.startsWith("applied"));
}

function openIds(world: World): readonly string[] {
  return [...world.ledger.items.values()]
    .filter(({ state }) => state !== "applied")
    .map(({ id }) => id);
}
