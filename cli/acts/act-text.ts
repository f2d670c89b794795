import { type Act, standingOf } from "../../lambdas/core/acts/act.ts";
import { grouped } from "../letters/letters-text.ts";
import { isoOf } from "../terminal/json.ts";

/** `3 replayed, 1 failed`, what is 0 left out. */
export function countsText({ counts }: Pick<Act, "counts">): string {
  const said = Object.entries(counts).filter(([, count]) => count > 0);
  return said.length === 0
    ? "nothing"
    : said.map(([what, count]) => `${grouped(count)} ${what}`).join(", ");
}

/** One act as scripts read it; its letters only where they were read. */
export function actJson(act: Act, nowMs: number): Readonly<Record<string, unknown>> {
  const { actId, operation, who, why, ticket, planDigest, filter, error, counts } = act;
  return {
    actId,
    operation,
    state: standingOf(act, nowMs),
    who,
    why,
    ticket,
    planDigest,
    filter,
    startedAt: isoOf(act.startedAtMs),
    endedAt: isoOf(act.endedAtMs),
    error,
    counts,
  };
}
