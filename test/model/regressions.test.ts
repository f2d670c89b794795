import { describe, expect, it } from "vitest";
import { innocentReceives } from "../../lambdas/core/settings.ts";
import { type Step, scriptedFate } from "./fate.ts";
import type { Kind, Planned, Scenario } from "./scenario.ts";
import { World } from "./world.ts";
import { WorldLife } from "./world-life.ts";

/** One history as small as it can be: what is published, and what goes wrong at which call. */
type History = {
  readonly name: string;
  readonly kinds: readonly Kind[];
  readonly given?: Partial<Scenario>;
  readonly planned?: Partial<Planned>;
  readonly steps?: readonly Step[];
};

const HISTORIES: readonly History[] = [
  {
    name: "a letter moved back meets the message that it was sent for, whose delete was lost",
    kinds: ["poison"],
    given: { maxAttempts: 1, moves: [3000, 9000], mendedAtMs: 9500 },
    steps: [
      { call: "invoke", id: "r0", nth: 2, mishap: "throttled" },
      { call: "delete", id: "r0", nth: 2, mishap: "lost" },
    ],
  },
  {
    name: "killers in one partition and an innocent record in another",
    kinds: ["killer", "killer", "ok", "ok"],
    given: { maxAttempts: 3 },
  },
  {
    name: "a killer behind a record that succeeds",
    kinds: ["ok", "killer"],
    given: { maxAttempts: 3 },
  },
  {
    name: "the reply to a count is lost and the SDK repeats it",
    kinds: ["poison"],
    steps: [{ call: "count", id: "r0", mishap: "reply lost" }],
  },
  {
    name: "the process dies between a letter and its mark",
    kinds: ["poisonError"],
    steps: [{ call: "markDead", id: "r0", mishap: "dies before" }],
  },
  {
    name: "the reply to applied effects is lost for good",
    kinds: ["ok", "ok"],
    steps: [{ call: "applyWithEffects", id: "r0", mishap: "fails after" }],
  },
  {
    name: "the batch is invoked twice",
    kinds: ["ok", "fails", "ok"],
    steps: [{ call: "invoke", id: "r0", mishap: "duplicated" }],
  },
  {
    name: "the batch is invoked twice, and its last record dies in one and succeeds in the other",
    // The first is in flight alone until the others wait behind it.
    kinds: ["fails", "fails", "ok", "fails"],
    given: { maxAttempts: 1, effects: false },
    planned: { partition: 0 },
    steps: [{ call: "invoke", id: "r1", mishap: "duplicated" }],
  },
  {
    name: "a careful batch starts when its messages are in another's hands",
    kinds: ["crashes", "ok"],
    steps: [{ call: "invoke", id: "r0", nth: 2, mishap: "late" }],
  },
  {
    name: "an applied record's delete is lost",
    kinds: ["ok", "ok"],
    steps: [{ call: "delete", id: "r0", mishap: "lost" }],
  },
  {
    name: "a replay dies once its message is accepted and before its letter is deleted",
    kinds: ["poisonError"],
    given: { mendedAtMs: 1000 },
    steps: [{ call: "send", id: "r0", mishap: "dies after" }],
  },
  {
    name: "SQS moves a record that no invocation ever got to see",
    kinds: ["ok", "ok"],
    given: { maxReceiveCount: 1 },
    steps: [{ call: "invoke", id: "r0", mishap: "throttled" }],
  },
  {
    name: "an id is published again after SQS forgot it",
    kinds: ["ok"],
    planned: { againMs: 301_000 },
  },
];

function scenarioOf({ kinds, given, planned }: History): Scenario {
  const common = { times: 1, gapMs: 0, againMs: 0 };
  const base = { batchSize: 10, maxAttempts: 3, ...given };
  return {
    seed: 1,
    effects: true,
    mendedAtMs: 60_000,
    replays: [],
    moves: [],
    maxReceiveCount: innocentReceives(base.batchSize, base.maxAttempts),
    ...base,
    plan: kinds.map((kind, n) => ({ ...common, partition: n >> 1, ...planned, id: `r${n}`, kind })),
  };
}

describe("the promises, in histories that broke them or would", () => {
  it.each(HISTORIES)("hold where $name", async (history) => {
    const fateOf = () => scriptedFate(history.steps ?? []);
    const scenario = scenarioOf(history);
    const world = new World(scenario, fateOf, { telling: true });
    await new WorldLife(world).live();
    const broken = world.witness.verdict(scenario.effects, world.letters.messages.length);
    expect(broken, [...broken, ...world.history].join("\n")).toEqual([]);
    // Else the history is not the one that its name tells.
    for (const { mishap, id } of history.steps ?? []) {
      const words = mishap === "lost" ? "the delete is lost" : mishap;
      expect(world.history.some((line) => line.includes(words) && line.includes(id))).toBe(true);
    }
  });

  it("are checked by something that can fail: a ledger that forgets applies twice", async () => {
    const lost = { name: "", kinds: ["ok"], steps: [] } as const;
    const steps: readonly Step[] = [{ call: "delete", id: "r0", mishap: "lost" }];
    const world = new World(scenarioOf(lost), () => scriptedFate(steps));
    world.ledger.applyWithEffects = async () => ({ kind: "applied" });
    await new WorldLife(world).live();
    expect(world.witness.verdict(true, 0)).toContain("P5: r0 was applied 2 times");
  });
});
