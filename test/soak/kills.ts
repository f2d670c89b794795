import { setTimeout as delay } from "node:timers/promises";
import type { SoakWorld } from "./soak-world.ts";

export const KILL_KINDS = ["environment", "engine", "dynalite", "runner"] as const;

/** `runner` is everything at once: engine, dynalite, runner and execution environments. */
export type KillKind = (typeof KILL_KINDS)[number];

export type Kills = Readonly<Record<KillKind, number>>;

export type KillPlan = {
  /** Epoch milliseconds after which nothing is killed, once each kind has been. */
  readonly untilMs: number;
  /** Uniform from 0 up to 1. */
  readonly random: () => number;
};

const PAUSE_MS = { from: 300, to: 3300 };
const DOWN_MS = { from: 0, to: 800 };

/** Kills by chance, half of the time an environment, and starts again what it killed. The first four
 *  are one of each kind. */
export async function killAtRandom(
  world: SoakWorld,
  { untilMs, random }: KillPlan,
): Promise<Kills> {
  const kills = { environment: 0, engine: 0, dynalite: 0, runner: 0 };
  const between = ({ from, to }: typeof PAUSE_MS): number => from + random() * (to - from);
  const first = shuffled(KILL_KINDS, random);
  while (first.length > 0 || Date.now() < untilMs) {
    await delay(between(PAUSE_MS));
    const kind = first.pop() ?? kindOf(random());
    await kill(world, kind, { random, downMs: between(DOWN_MS) });
    kills[kind] += 1;
  }
  return kills;
}

function kindOf(chance: number): KillKind {
  if (chance < 0.5) return "environment";
  if (chance < 0.7) return "engine";
  return chance < 0.9 ? "dynalite" : "runner";
}

type How = { readonly random: () => number; readonly downMs: number };

async function kill(world: SoakWorld, kind: KillKind, { random, downMs }: How): Promise<void> {
  const { engine, tables, runner } = world;
  switch (kind) {
    case "environment":
      return killEnvironment(world, random);
    case "engine":
      await engine.kill();
      await delay(downMs);
      await engine.start();
      return;
    case "dynalite":
      await tables.kill();
      await delay(downMs);
      await tables.start();
      return;
    case "runner": {
      const environments = await world.environments();
      const gone = [runner, engine, tables].map((each) => each.kill());
      for (const { pid } of environments) end(pid);
      await Promise.all(gone);
      await delay(downMs);
      await Promise.all([engine.start(), tables.start()]);
      await runner.start();
      return;
    }
    default:
      kind satisfies never;
  }
}

/** A busy one, if any is; waits for one to be there. */
async function killEnvironment(world: SoakWorld, random: () => number): Promise<void> {
  for (;;) {
    const all = await world.environments();
    const busy = all.filter((environment) => environment.busy);
    const choice = busy.length > 0 ? busy : all;
    const victim = choice[Math.floor(random() * choice.length)];
    if (victim !== undefined && end(victim.pid)) return;
    await delay(50);
  }
}

/** False if it had ended before. */
function end(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
