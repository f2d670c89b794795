import { type AlertLevel, alertPolicyOf, evaluate } from "../../lambdas/core/alert-policy.ts";
import type { Backlog } from "../../lambdas/core/backlog.ts";
import type { Progress } from "./console-output.ts";
import type { DemoCloud } from "./demo-cloud.ts";

/** What was seen while the backlog drained. */
export type Drained = {
  /** Worst level of any snapshot in which a partition was blocked; ok where none was. */
  readonly worstLevel: AlertLevel;
  /** Ids seen as dead letters. */
  readonly letters: ReadonlySet<string>;
  /** The last snapshot: nothing waits any more. */
  readonly backlog: Backlog;
};

export type WatchOptions = {
  readonly total: number;
  readonly limitSeconds: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

const LOOK_EVERY_MS = 500;
const RANK: Readonly<Record<AlertLevel, number>> = { ok: 0, warn: 1, page: 2 };

/** The part of the demo's cloud that is looked at. */
export type Watched = Pick<DemoCloud, "settings" | "backlog" | "letters">;

/** Looks twice a second until nothing waits. @throws where that takes longer than the limit. */
export async function watchUntilDrained(cloud: Watched, options: WatchOptions): Promise<Drained> {
  try {
    return await watch(cloud, options);
  } finally {
    options.progress.end();
  }
}

async function watch(cloud: Watched, options: WatchOptions): Promise<Drained> {
  const { total, limitSeconds, progress, signal } = options;
  const policy = alertPolicyOf(cloud.settings);
  const endMs = Date.now() + limitSeconds * 1000;
  let worstLevel: AlertLevel = "ok";
  for (;;) {
    signal.throwIfAborted();
    const backlog = await cloud.backlog();
    const level = evaluate(policy, backlog);
    if (backlog.blocked.length > 0 && RANK[level] > RANK[worstLevel]) worstLevel = level;
    progress.set(Math.max(0, total - backlog.count));
    if (backlog.count === 0) return { worstLevel, letters: await letterIds(cloud), backlog };
    if (Date.now() > endMs) {
      throw new Error(
        `Expected the backlog to be drained within ${limitSeconds} s, but ${backlog.count} records still wait. Run again on a quieter machine, or look at what the handler does`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function letterIds(cloud: Watched): Promise<ReadonlySet<string>> {
  const letters = await cloud.letters();
  return new Set(letters.map(({ id }) => id));
}
