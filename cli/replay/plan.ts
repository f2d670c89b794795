import { fingerprintOf, groupIdOf } from "../../lambdas/core/fingerprint.ts";
import type { PlannedLetter, ReplayPlan } from "../../lambdas/core/replay/plan-replay.ts";
import type { BacklogLocation } from "../backlog-location.ts";
import { invokeOperation } from "../invoke-operation.ts";
import type { LetterFilter } from "../letters/letter-filter.ts";
import type { Session } from "../session.ts";
import { isoOf, JSON_VERSION } from "../terminal/json.ts";
import { requestFilterOf, selectionJson } from "./selection.ts";

/** Asks the function what a replay would do. */
export function askForPlan(
  { clients }: Session,
  location: BacklogLocation,
  {
    filter,
    overtaken,
    requestedBy,
  }: {
    readonly filter: LetterFilter;
    readonly overtaken: boolean;
    readonly requestedBy: string;
  },
): Promise<ReplayPlan> {
  const { name, replay: functionName } = location;
  return invokeOperation<ReplayPlan>(
    clients.lambda,
    { name, functionName },
    {
      operation: "plan",
      requestedBy,
      filter: requestFilterOf(filter),
      limit: filter.limit,
      overtaken,
    },
  );
}

/** Letters that a run of this plan takes out of the dead-letter queue. */
export function toBeTaken({ counts, overtaken }: Pick<ReplayPlan, "counts" | "overtaken">): number {
  return counts.ready + counts.applied + (overtaken ? counts.overtaken : 0);
}

/** The plan as scripts read it, and as `--out` writes it (docs/command.md). */
export function planJson(
  plan: ReplayPlan,
  filter: LetterFilter,
  { name, region }: Pick<BacklogLocation, "name" | "region">,
): Readonly<Record<string, unknown>> {
  const { planId, digest, ledger, overtaken, counts, unknown } = plan;
  const { omitted, notListed, truncated } = plan;
  return {
    version: JSON_VERSION,
    kind: "replay-plan",
    backlog: name,
    region,
    takenAt: isoOf(plan.takenAtMs),
    planId,
    digest,
    ledger,
    filter: selectionJson(filter),
    limit: filter.limit,
    overtaken,
    counts,
    unknown,
    nearestExpiry: isoOf(nearestExpiryMs(plan)),
    letters: plan.letters.map(letterJson),
    omitted,
    notListed,
    truncated,
  };
}

/** When the first of the listed letters expires, of those that have not. */
export function nearestExpiryMs({ letters }: Pick<ReplayPlan, "letters">): number | undefined {
  return letters
    .filter((letter) => letter.class.kind !== "expired")
    .reduce<number | undefined>(
      (nearest, { expiresAtMs }) =>
        expiresAtMs === null ? nearest : Math.min(nearest ?? expiresAtMs, expiresAtMs),
      undefined,
    );
}

function letterJson(letter: PlannedLetter): Readonly<Record<string, unknown>> {
  const { id, key, partition, offset, generation, attempts, reason } = letter;
  const fingerprint = fingerprintOf(reason ?? "");
  return {
    id,
    key,
    partition,
    offset,
    generation,
    attempts,
    reason,
    group: groupIdOf(fingerprint),
    fingerprint,
    enqueuedAt: isoOf(letter.enqueuedAtMs),
    failedAt: isoOf(letter.failedAtMs ?? undefined),
    expiresAt: isoOf(letter.expiresAtMs ?? undefined),
    class: letter.class,
  };
}
