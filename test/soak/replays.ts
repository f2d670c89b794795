import { setTimeout as delay } from "node:timers/promises";
import type { ReplayResult } from "../../lambdas/core/replay/replay-result.ts";
import { invokeReplay } from "../../local/demo/invoke-replay.ts";
import type { SoakClients } from "./soak-clients.ts";

const EVERY_MS = 20_000;
const LOOK_EVERY_MS = 250;
/** Visibility, back-off, a killed replay's lease and a busy machine, several times over. */
const LIMIT_MS = 180_000;

/** Replays again and again while processes are killed, replays among them, and causes are not
 *  mended. Resolves to how many runs came to an end. */
export async function replayMeanwhile(clients: SoakClients, signal: AbortSignal): Promise<number> {
  let ended = 0;
  for (;;) {
    await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return ended;
    ended += await replay(clients).then(
      () => 1,
      () => 0,
    );
  }
}

/** @throws where it is killed, or refused as one that was killed still holds the lease. */
function replay(clients: SoakClients): Promise<ReplayResult> {
  return invokeReplay(clients, { requestedBy: "soak" });
}

/** Waits until something is dead, for a short run may be over before. @throws where nothing dies. */
export async function firstLetter({ letters }: SoakClients): Promise<void> {
  const endMs = Date.now() + LIMIT_MS;
  while ((await letters()) === 0) {
    if (Date.now() > endMs) throw new Error("no record became a dead letter, and some are poison");
    await delay(LOOK_EVERY_MS);
  }
}

/** Replays until nothing waits and no letter is left. Resolves to how many runs
 *  came to an end. @throws where that does not come to pass. */
export async function settle(clients: SoakClients): Promise<number> {
  const endMs = Date.now() + LIMIT_MS;
  let runs = 0;
  let trouble: unknown;
  for (;;) {
    await drained(clients, endMs);
    const left = await clients.letters();
    if (left === 0) return runs;
    if (Date.now() > endMs) {
      throw new Error(`${left} letters cannot be replayed: ${trouble}`, { cause: trouble });
    }
    try {
      const { failed } = await replay(clients);
      runs += 1;
      trouble = failed.map(({ id, reason }) => `${id}: ${reason}`);
    } catch (error) {
      trouble = error;
      await delay(1000);
    }
  }
}

async function drained({ waiting }: SoakClients, endMs: number): Promise<void> {
  for (;;) {
    const left = await waiting();
    if (left === 0) return;
    if (Date.now() > endMs) throw new Error(`${left} records still wait`);
    await delay(LOOK_EVERY_MS);
  }
}
