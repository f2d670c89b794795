import type { Blocked } from "../../lambdas/core/backlog.ts";
import { attemptsAllowed } from "../letters/attempts-allowed.ts";
import { isoOf } from "../terminal/json.ts";
import { nextTryOf, type TryLocation } from "./next-try.ts";

/** The head of a partition as scripts read it (docs/command.md). */
export function blockedJson(
  head: Blocked,
  location: TryLocation & { readonly maxAttempts: number },
  nowMs: number,
): Readonly<Record<string, unknown>> {
  const { partition, id, key, attempts, generation, reason, failedAtMs, ageMs } = head;
  return {
    partition,
    id,
    key,
    attempts,
    maxAttempts: attemptsAllowed(generation, location.maxAttempts),
    generation,
    reason,
    failedAt: isoOf(failedAtMs),
    nextTry: nextTryJson(head, location, nowMs),
    ageMs,
  };
}

export function nextTryJson(
  head: Pick<Blocked, "attempts" | "failedAtMs">,
  location: TryLocation,
  nowMs: number,
): Readonly<Record<string, unknown>> {
  const nextTry = nextTryOf(head, location, nowMs);
  const waits = nextTry.kind === "waits" ? nextTry : undefined;
  return {
    kind: nextTry.kind,
    earliest: isoOf(waits?.earliestMs),
    latest: isoOf(waits?.latestMs),
  };
}
