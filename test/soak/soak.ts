import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { seeded } from "../../lambdas/core/seeded.ts";
import { mendCauses, stockCatalogue } from "../../local/demo/mend.ts";
import { type Broken, brokenPromises } from "./broken-promises.ts";
import { lettersIn, readGameData } from "./game-data.ts";
import { type Kills, killAtRandom } from "./kills.ts";
import { firstLetter, replayMeanwhile, settle } from "./replays.ts";
import { type SoakClients, soakClients } from "./soak-clients.ts";
import { type SoakWorld, startSoakWorld } from "./soak-world.ts";
import { publishTraffic } from "./traffic.ts";

export type SoakOptions = {
  /** How long processes are killed while records are published. */
  readonly seconds: number;
  /** Decides about traffic and kills; not about what the machine does meanwhile. */
  readonly seed: number;
  /** Is told what is going on. */
  readonly say: (text: string) => void;
};

export type SoakResult = Broken & {
  readonly kills: Kills;
  readonly records: number;
  /** Records that were dead letters at any time. */
  readonly deadLetters: number;
  /** Replays that came to an end, those among the kills included. */
  readonly replays: number;
};

/** So much may wait; the machine may be slow. */
const BACKLOG_MAX = 400;

/**
 * Publishes to a backlog of real processes while they are killed at random and started again, then
 * mends the causes of failure, replays what is dead, and holds the game's data against what was
 * published. A run that breaks a promise leaves its folder for a look.
 */
export async function soak({ seconds, seed, say }: SoakOptions): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  say(`seed ${seed}, folder ${folder}`);
  const world = await startSoakWorld(folder);
  try {
    const clients = soakClients(world);
    const result = await run({ world, clients, seconds, seed, folder, say });
    clients.close();
    await world.close();
    if (isKept(result)) rmSync(folder, { recursive: true });
    return result;
  } finally {
    await world.close();
  }
}

/** Whether every promise was kept. */
export function isKept(result: Broken): boolean {
  const { lost, doubled, disorder, innocents, strangers, balances } = result;
  return [lost, doubled, disorder, innocents, strangers, balances].every(
    ({ length }) => length === 0,
  );
}

type Run = SoakOptions & {
  readonly world: SoakWorld;
  readonly clients: SoakClients;
  readonly folder: string;
};

async function run({ world, clients, seconds, seed, folder, say }: Run): Promise<SoakResult> {
  await stockCatalogue(clients);
  const stop = new AbortController();
  const { signal } = stop;
  const traffic = publishTraffic({
    publisher: await clients.publisher(),
    random: seeded(seed),
    journal: join(folder, "accepted.ndjson"),
    signal,
    room: () => roomIn(clients),
  });
  const replaying = replayMeanwhile(clients, signal);
  const untilMs = Date.now() + 1000 * seconds;
  const killing = killAtRandom(world, { untilMs, random: seeded(seed + 1) });
  const kills = await Promise.race([killing, failureOf(traffic)]);
  stop.abort();
  const accepted = await traffic;
  say(`${accepted.length} records accepted; mending, draining and replaying`);
  const meanwhile = await replaying;
  await firstLetter(clients);
  const dead = await lettersIn(clients);
  await mendCauses(clients);
  const replays = meanwhile + (await settle(clients));
  for (const each of [world.engine, world.tables, world.runner]) each.assertUnharmed();
  const letters = dead.union(await lettersIn(clients));
  const testified = new Set(readFileSync(world.testimony, "utf8").split("\n"));
  const broken = brokenPromises({
    ...(await readGameData(clients)),
    ...{ accepted, letters, testified },
  });
  return { ...broken, kills, records: accepted.length, deadLetters: letters.size, replays };
}

async function roomIn({ waiting }: SoakClients): Promise<void> {
  // The engine may be dead: then the publisher is the one to wait.
  while ((await waiting().catch(() => 0)) > BACKLOG_MAX) await delay(250);
}

/** Never resolves; rejects when the work fails. */
function failureOf(work: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    work.catch(reject);
  });
}
