import { equal } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { DeployedGame } from "./deployed-game.ts";

/** One thing that the deployed stack should do; each builds on those before it. */
export type Leg = {
  readonly title: string;
  /** @throws where it does otherwise. */
  readonly ask: (game: DeployedGame) => Promise<void>;
};

/** What the slowest step takes on a busy machine: three attempts with their back-offs. */
const SECONDS_MAX = 40;

/** Looks until it sees what is expected. @throws AssertionError where that does not come. */
export async function untilEqual<T>(look: () => Promise<T>, expected: T): Promise<void> {
  const endMs = Date.now() + SECONDS_MAX * 1000;
  while ((await look()) !== expected && Date.now() < endMs) await delay(250);
  equal(await look(), expected);
}
