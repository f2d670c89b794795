import * as v from "valibot";
import { beginsWithDay } from "../calendar-day.ts";
import { RECORD_ID_CHARACTERS } from "../limits.ts";
import type { Settings } from "../settings.ts";
import type { ReplayFilter } from "./replay-filter.ts";
import { brokenRule, REQUEST_LIMITS } from "./replay-request-rules.ts";

/** What an operator asks of a replay. */
export type ReplayRequest = {
  /** Only says what a run would do: takes no lease and writes nothing. */
  readonly dryRun: boolean;
  readonly filter: ReplayFilter;
  /** Letters taken at most. */
  readonly limit: number;
  /** Letters sent per second at most. */
  readonly ratePerSecond: number;
  readonly requestedBy: string | undefined;
  readonly why: string | undefined;
  /** The plan that this run is held to: it refuses where the letters or what became of them differ. */
  readonly plan?: PlanRef | undefined;
  /** Whether letters go out that later records of their keys have overtaken; absent = they do. */
  readonly overtaken?: boolean | undefined;
  /** Letters of each step: the next begins once those of the last have an outcome. */
  readonly ramp?: readonly number[] | undefined;
  /** Letters that may fail again for one reason before the run sends no more; absent = all. */
  readonly stopAfterFailures?: number | undefined;
};

export type PlanRef = {
  readonly digest: string;
  /** The limit that the plan was made with; absent = the request's, or none. */
  readonly limit?: number | undefined;
};

/** What an operator asks of a plan. */
export type PlanRequest = Pick<ReplayRequest, "filter" | "overtaken"> & {
  /** Letters covered at most, the oldest ones; absent = all. */
  readonly limit?: number | undefined;
};

/** The bounds of a request are those of the backlog. */
export type RequestBounds = Pick<Settings, "partitions" | "replayLimit" | "replayRatePerSecond">;

/** A request that breaks a rule; nothing was touched. The message lists every broken rule. */
export class ReplayRequestError extends Error {
  override readonly name = "ReplayRequestError";
}

/**
 * Reads a request as it came from outside; nothing at all asks for everything.
 * @throws ReplayRequestError on unknown fields and on values out of range.
 */
export function parseReplayRequest(event: unknown, bounds: RequestBounds): ReplayRequest {
  const parsed = v.safeParse(schemaOf(bounds), event ?? {});
  if (!parsed.success) {
    throw refusal(parsed.issues.map((issue) => brokenRule(issue, "run", bounds)));
  }
  const { dryRun, filter, limit, ratePerSecond, requestedBy, why, plan, ...careful } =
    parsed.output;
  return {
    ...careful,
    plan: plan && { limit, ...plan },
    dryRun: dryRun ?? false,
    filter: filterOf(filter),
    limit: limit ?? bounds.replayLimit,
    ratePerSecond: ratePerSecond ?? bounds.replayRatePerSecond,
    requestedBy,
    why,
  };
}

/**
 * Reads what is asked of a plan; a plan may cover more letters than one run takes.
 * @throws ReplayRequestError as above.
 */
export function parsePlanRequest(event: unknown, bounds: RequestBounds): PlanRequest {
  const parsed = v.safeParse(planSchemaOf(bounds), event ?? {});
  if (!parsed.success) {
    throw refusal(parsed.issues.map((issue) => brokenRule(issue, "plan", bounds)));
  }
  const { filter, limit, overtaken } = parsed.output;
  return { filter: filterOf(filter), limit, overtaken };
}

/** @returns the run that is to be cancelled. @throws ReplayRequestError as above. */
export function parseCancelRequest(event: unknown): string {
  const parsed = v.safeParse(v.object({ runId: ID }), event);
  if (parsed.success) return parsed.output.runId;
  throw refusal(["Expected `runId` to be the id of a run, as `replay-status` tells it"]);
}

type FilterFields = Omit<ReplayFilter, "failedAfterMs" | "failedBeforeMs"> & {
  readonly failedAfter?: number | undefined;
  readonly failedBefore?: number | undefined;
};

function filterOf({ failedAfter, failedBefore, ...rest }: FilterFields = {}): ReplayFilter {
  if (failedAfter !== undefined && failedBefore !== undefined && failedAfter >= failedBefore) {
    throw refusal(["Expected `filter.failedAfter` to be before `filter.failedBefore`"]);
  }
  return { ...rest, failedAfterMs: failedAfter, failedBeforeMs: failedBefore };
}

const { ids, rampSteps, textCharacters, planLetters } = REQUEST_LIMITS;

const ID = v.pipe(v.string(), v.minLength(1), v.maxLength(RECORD_ID_CHARACTERS));

const TEXT = v.pipe(v.string(), v.maxLength(textCharacters));

/** With the time of day or without; a text without a zone counts as UTC in Lambda. */
const MOMENT = v.union([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  v.pipe(
    v.string(),
    v.regex(/^\d{4}-\d{2}-\d{2}/),
    v.check((text) => beginsWithDay(text) && !Number.isNaN(Date.parse(text))),
    v.transform((text) => Date.parse(text)),
  ),
]);

const FILTER = {
  key: v.optional(v.string()),
  ids: v.optional(v.pipe(v.array(ID), v.minLength(1), v.maxLength(ids))),
  // An empty text is in every reason: of a variable that is not set, it would mean every letter.
  reason: v.optional(v.pipe(TEXT, v.minLength(1))),
  group: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/))),
  failedAfter: v.optional(MOMENT),
  failedBefore: v.optional(MOMENT),
};

const SETTINGS_OF_RUN = {
  dryRun: v.optional(v.boolean()),
  requestedBy: v.optional(TEXT),
  why: v.optional(TEXT),
  overtaken: v.optional(v.boolean()),
  ramp: v.optional(v.pipe(v.array(whole(1, 100_000)), v.minLength(1), v.maxLength(rampSteps))),
  stopAfterFailures: v.optional(whole(1, 100_000)),
};

// biome-ignore lint/nursery/useExplicitReturnType: the schema's type is what the output is inferred from.
function schemaOf({ partitions, replayLimit, replayRatePerSecond }: RequestBounds) {
  const plan = v.strictObject({
    digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
    limit: v.optional(whole(1, planLetters)),
  });
  const request = v.strictObject({
    ...SETTINGS_OF_RUN,
    filter: v.optional(filterSchema(partitions)),
    plan: v.optional(v.pipe(NO_ARRAY, plan)),
    limit: v.optional(whole(1, replayLimit)),
    ratePerSecond: v.optional(v.pipe(v.number(), v.gtValue(0), v.maxValue(replayRatePerSecond))),
  });
  return v.pipe(NO_ARRAY, request);
}

// biome-ignore lint/nursery/useExplicitReturnType: as above.
function planSchemaOf({ partitions }: RequestBounds) {
  const request = v.strictObject({
    requestedBy: v.optional(TEXT),
    why: v.optional(TEXT),
    filter: v.optional(filterSchema(partitions)),
    limit: v.optional(whole(1, planLetters)),
    overtaken: v.optional(v.boolean()),
  });
  return v.pipe(NO_ARRAY, request);
}

// biome-ignore lint/nursery/useExplicitReturnType: as above.
function filterSchema(partitions: number) {
  const filter = v.strictObject({ partition: v.optional(whole(0, partitions - 1)), ...FILTER });
  return v.pipe(NO_ARRAY, filter);
}

/** To a schema of objects an array is one, whose own `filter` it would read. */
const NO_ARRAY = v.custom<object>((value) => !Array.isArray(value));

// biome-ignore lint/nursery/useExplicitReturnType: as above.
function whole(from: number, to: number) {
  return v.pipe(v.number(), v.safeInteger(), v.minValue(from), v.maxValue(to));
}

function refusal(rules: readonly string[]): ReplayRequestError {
  return new ReplayRequestError(
    `The replay was not started and nothing was touched: ${rules.join("; ")}.`,
  );
}
