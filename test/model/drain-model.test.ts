import { describe, expect, it } from "vitest";
import { seeded } from "../../local/demo/seeded.ts";
import { DrainWorld, type Kind, type Planned } from "./drain-world.ts";
import { type Faults, NO_FAULTS } from "./process-model.ts";

const MAX_ATTEMPTS = 3;

/** Runs of each kind; `MODEL_RUNS` asks for more. */
// biome-ignore lint/style/noProcessEnv: how long to look is the choice of who runs it.
const RUNS = Number(process.env["MODEL_RUNS"] ?? 10_000);

/** Share of each kind, in hundredths. */
const KINDS: readonly (readonly [Kind, number])[] = [
  ["ok", 66],
  ["flaky", 10],
  ["poison", 8],
  ["poisonError", 4],
  ["crashOnce", 5],
  ["crashes", 4],
  ["hangs", 3],
];

const FAULTS: Faults = { crash: 0.002, refuse: 0.01, lose: 0.01 };

function planOf(seed: number): { readonly plan: readonly Planned[]; readonly batchSize: number } {
  const random = seeded(seed);
  const partitions = 1 + Math.floor(random() * 4);
  const plan = Array.from({ length: 5 + Math.floor(random() * 20) }, (_, n) => ({
    id: `r${n}`,
    partition: Math.floor(random() * partitions),
    kind: kindAt(random() * 100),
  }));
  return { plan, batchSize: 1 + Math.floor(random() * 10) };
}

function kindAt(hundredth: number): Kind {
  let sum = 0;
  for (const [kind, share] of KINDS) {
    sum += share;
    if (hundredth < sum) return kind;
  }
  return "ok";
}

/** A plain handler's effect is repeated when the process dies behind it: the guarantee says so. Where
 *  nothing dies, once is once. */
function sparing(planned: Planned): Planned {
  const dies = ["crashOnce", "crashes", "hangs"].includes(planned.kind);
  return dies ? { ...planned, kind: "poison" } : planned;
}

async function checkWorld(seed: number, effects: boolean, faults: Faults): Promise<void> {
  const { plan: any, batchSize } = planOf(seed);
  const plan = effects || faults !== NO_FAULTS ? any : any.map(sparing);
  const world = new DrainWorld({ seed, plan, batchSize, effects, faults });
  await world.live();
  const broken = brokenIn(world, plan, effects || faults === NO_FAULTS);
  if (broken.length > 0) {
    const run = `seed ${seed}, batches of ${batchSize}, ${effects ? "effects" : "plain"}`;
    const kinds = plan.map(({ id, partition, kind }) => `${id}@${partition}:${kind}`).join(" ");
    throw new Error([broken.join("\n"), run, kinds, ...world.history].join("\n"));
  }
}

function brokenIn(world: DrainWorld, plan: readonly Planned[], once: boolean): readonly string[] {
  const left = world.letters.length;
  return [
    ...plan.flatMap((one) => brokenFor(one, world, once)),
    ...disorderIn(world, plan),
    ...(left > 0 ? [`P6: ${left} letters are left`] : []),
  ];
}

function brokenFor({ id, kind }: Planned, world: DrainWorld, once: boolean): readonly string[] {
  const count = world.applied.filter((one) => one === id).length;
  const calls = world.calls.get(`${id}/0`) ?? 0;
  const rules = [
    { broken: count === 0, says: `P2: ${id} was never applied` },
    { broken: once && count > 1, says: `P5: ${id} was applied ${count} times` },
    { broken: kind === "ok" && world.everDead.has(id), says: `P3: ${id} is an innocent letter` },
    { broken: calls > MAX_ATTEMPTS + 1, says: `P4: ${id} was called ${calls} times` },
  ];
  return rules.filter(({ broken }) => broken).map(({ says }) => says);
}

/** First applications in another order than published, in each partition; dead letters aside. */
function disorderIn(world: DrainWorld, plan: readonly Planned[]): readonly string[] {
  const living = plan.filter(({ id }) => !world.everDead.has(id));
  return [...Map.groupBy(living, ({ partition }) => partition).values()].flatMap((line) => {
    const published = line.map(({ id }) => id);
    const order = published.toSorted((a, b) => world.applied.indexOf(a) - world.applied.indexOf(b));
    return order.join() === published.join() ? [] : [`P1: applied in the order ${order}`];
  });
}

describe("the promises, on the consumer's own code", () => {
  it.each([
    { what: "effects, with faults", effects: true, faults: FAULTS, runs: RUNS },
    { what: "plain handlers, with faults", effects: false, faults: FAULTS, runs: RUNS },
    { what: "effects, without faults", effects: true, faults: NO_FAULTS, runs: RUNS / 10 },
    { what: "plain handlers, without faults", effects: false, faults: NO_FAULTS, runs: RUNS / 10 },
  ])("hold for $what", { timeout: 1_200_000 }, async ({ effects, faults, runs }) => {
    for (let seed = 1; seed <= runs; seed += 1) await checkWorld(seed, effects, faults);
  });

  it("are checked by something that can fail: a ledger that forgets breaks them", async () => {
    const { plan, batchSize } = planOf(7);
    const world = new DrainWorld({ seed: 7, plan, batchSize, effects: true, faults: NO_FAULTS });
    world.ledger.applyWithEffects = async () => ({ kind: "applied" });
    world.queue.delete = () => undefined;
    const living = world.live();
    await Promise.race([living, new Promise((resolve) => setTimeout(resolve, 300))]);
    expect(brokenIn(world, plan, true)).not.toEqual([]);
  });
});
