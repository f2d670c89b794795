import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Faults, randomFate } from "./fate.ts";
import { FAULTS, NO_FAULTS, type Scenario, scenarios } from "./scenario.ts";
import { World } from "./world.ts";
import { WorldLife } from "./world-life.ts";

/** Runs of each kind; `MODEL_RUNS` asks for more. */
// biome-ignore lint/style/noProcessEnv: how long to look is the choice of who runs it.
const RUNS = Number(process.env["MODEL_RUNS"] ?? 10_000);

/** What the run broke; where it broke something, with its whole history. */
async function brokenBy(scenario: Scenario, faults: Faults, telling = false): Promise<string> {
  const world = new World(scenario, (random) => randomFate(faults, random), { telling });
  const stuck = await new WorldLife(world).live().then(
    () => [],
    (error: unknown) => [String(error)],
  );
  const once = scenario.effects || isMild(scenario, faults);
  const broken = [...stuck, ...world.witness.verdict(once, world.letters.messages.length)];
  if (broken.length === 0) return "";
  if (!telling) return brokenBy(scenario, faults, true);
  return [...broken, ...world.history].join("\n");
}

/** A plain handler's effect is repeated when its process dies behind it, and when an id comes again:
 *  the guarantee says so. Where neither happens, once is once. */
function isMild({ plan, moves }: Scenario, faults: Faults): boolean {
  const mild = plan.every(
    ({ kind, againMs }) => againMs === 0 && kind !== "crashes" && kind !== "killer",
  );
  return mild && faults === NO_FAULTS && moves.length === 0;
}

describe("the promises, on the consumer's and the replay's own code", () => {
  it.each([
    { what: "effects, with faults", effects: true, faults: FAULTS, share: 1 },
    { what: "plain handlers, with faults", effects: false, faults: FAULTS, share: 1 },
    { what: "effects, without faults", effects: true, faults: NO_FAULTS, share: 0.1 },
    { what: "plain handlers, without faults", effects: false, faults: NO_FAULTS, share: 0.1 },
  ])("hold for $what", { timeout: 1_200_000 }, async ({ effects, faults, share }) => {
    await fc.assert(
      fc.asyncProperty(scenarios(effects, true), async (scenario) => {
        expect(await brokenBy(scenario, faults)).toBe("");
      }),
      // Under a planted fault a verdict is all that is wanted, and a small history costs minutes.
      { numRuns: Math.ceil(RUNS * share), endOnFailure: RUNS < 1000 },
    );
  });
});
