import { readFileSync, writeFileSync } from "node:fs";
import * as v from "valibot";
import type { ReplayPlan } from "../../lambdas/core/replay/plan-replay.ts";
import type { BacklogLocation } from "../backlog-location.ts";
import { CommandError } from "../command-error.ts";
import type { LetterFilter } from "../letters/letter-filter.ts";
import { RefusedError } from "../refused-error.ts";
import { jsonOf } from "../terminal/json.ts";
import { planJson } from "./plan.ts";

/** What a run needs of a plan that was made before. */
export type KeptPlan = Pick<
  ReplayPlan,
  "planId" | "digest" | "takenAtMs" | "overtaken" | "counts"
> & {
  readonly filter: LetterFilter;
};

/** Writes a plan where the next `replay run --plan` finds it, in place of what is there. */
export function writePlanFile(
  path: string,
  plan: ReplayPlan,
  filter: LetterFilter,
  location: BacklogLocation,
): void {
  try {
    writeFileSync(path, `${jsonOf(planJson(plan, filter, location))}\n`);
  } catch (cause) {
    throw badFile(`The plan cannot be written to ${path}: ${textOf(cause)}`, cause);
  }
}

/**
 * Reads a plan of this very backlog.
 * @throws CommandError where the file is none.
 * @throws RefusedError where it is another stack's.
 */
export function readPlanFile(
  path: string,
  { name, region, ledgerTable }: BacklogLocation,
): KeptPlan {
  const plan = parsedPlan(path);
  if (plan.ledger !== ledgerTable || plan.backlog !== name) {
    throw new RefusedError({
      code: "other-plan",
      message: `The plan in ${path} is of the backlog \`${plan.backlog}\` in ${plan.region} with the ledger ${plan.ledger}, not of \`${name}\` in ${region} with ${ledgerTable}`,
      remedy: "name the backlog that the plan was made of, or make a plan of this one",
    });
  }
  const { since, until, group, partition, key, ids, reason } = plan.filter;
  return {
    planId: plan.planId,
    digest: plan.digest,
    takenAtMs: Date.parse(plan.takenAt),
    overtaken: plan.overtaken,
    counts: plan.counts,
    filter: {
      letters: {
        partition: partition ?? undefined,
        key: key ?? undefined,
        ids: ids ?? undefined,
        reason: reason ?? undefined,
        failedAfterMs: momentOf(since),
        failedBeforeMs: momentOf(until),
      },
      group: group ?? undefined,
      limit: plan.limit ?? undefined,
    },
  };
}

const COUNT = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const MOMENT = v.pipe(v.string(), v.isoTimestamp());

const PLAN_FILE = v.object({
  version: v.literal(1),
  kind: v.literal("replay-plan"),
  backlog: v.string(),
  region: v.string(),
  takenAt: MOMENT,
  planId: v.string(),
  digest: v.string(),
  ledger: v.string(),
  filter: v.object({
    partition: v.nullable(COUNT),
    key: v.nullable(v.string()),
    ids: v.nullable(v.array(v.string())),
    reason: v.nullable(v.string()),
    group: v.nullable(v.string()),
    since: v.nullable(MOMENT),
    until: v.nullable(MOMENT),
  }),
  limit: v.nullable(COUNT),
  overtaken: v.boolean(),
  counts: v.object({
    ready: COUNT,
    overtaken: COUNT,
    applied: COUNT,
    cannotRun: COUNT,
    held: COUNT,
    expired: v.optional(COUNT, 0),
  }),
});

function parsedPlan(path: string): v.InferOutput<typeof PLAN_FILE> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw badFile(`The plan in ${path} cannot be read: ${textOf(cause)}`, cause);
  }
  const parsed = v.safeParse(PLAN_FILE, content);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const field = v.getDotPath(issue) ?? "the file";
  throw badFile(`Expected ${path} to hold a replay plan, but of \`${field}\`: ${issue.message}`);
}

function momentOf(text: string | null): number | undefined {
  return text === null ? undefined : Date.parse(text);
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function badFile(message: string, cause?: unknown): CommandError {
  const remedy = "name a file that `replay plan --out FILE` has written, or can write";
  return new CommandError({ code: "bad-plan-file", message, remedy }, { cause });
}
