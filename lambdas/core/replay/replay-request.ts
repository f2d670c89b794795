import * as v from "valibot";
import { RECORD_ID_CHARACTERS } from "../limits.ts";
import type { Settings } from "../settings.ts";
import type { ReplayFilter } from "./replay-filter.ts";

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

/** Ids of one request: its filter is looked through for each letter. */
const IDS_PER_REQUEST = 1000;

/** Steps of one ramp. */
const RAMP_STEPS = 20;

/** Characters of the texts that are kept in the log. */
const TEXT_CHARACTERS = 1000;

/**
 * Reads a request as it came from outside; nothing at all asks for everything.
 * @throws ReplayRequestError on unknown fields and on values out of range.
 */
export function parseReplayRequest(event: unknown, bounds: RequestBounds): ReplayRequest {
  const parsed = v.safeParse(schemaOf(bounds), event ?? {});
  if (!parsed.success) throw refusal(parsed.issues.map((issue) => brokenRule(issue, bounds)));
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
  const wide = { ...bounds, replayLimit: PLAN_LETTERS };
  const parsed = v.safeParse(planSchemaOf(wide), event ?? {});
  if (!parsed.success) throw refusal(parsed.issues.map((issue) => brokenRule(issue, wide)));
  const { filter, limit, overtaken } = parsed.output;
  return { filter: filterOf(filter), limit, overtaken };
}

/** @returns the run that is to be cancelled. @throws ReplayRequestError as above. */
export function parseCancelRequest(event: unknown): string {
  const parsed = v.safeParse(v.object({ runId: ID }), event);
  if (parsed.success) return parsed.output.runId;
  throw refusal(["Expected `runId` to be the id of a run, as `replay-status` tells it"]);
}

/** Letters that a plan covers at most. */
const PLAN_LETTERS = 100_000;

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

const ID = v.pipe(v.string(), v.minLength(1), v.maxLength(RECORD_ID_CHARACTERS));

const TEXT = v.pipe(v.string(), v.maxLength(TEXT_CHARACTERS));

/** With the time of day or without; a text without a zone counts as UTC in Lambda. */
const MOMENT = v.union([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  v.pipe(
    v.string(),
    v.regex(/^\d{4}-\d{2}-\d{2}/),
    v.check((text) => !Number.isNaN(Date.parse(text))),
    v.transform((text) => Date.parse(text)),
  ),
]);

const FILTER = {
  key: v.optional(v.string()),
  ids: v.optional(v.pipe(v.array(ID), v.minLength(1), v.maxLength(IDS_PER_REQUEST))),
  reason: v.optional(TEXT),
  group: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/))),
  failedAfter: v.optional(MOMENT),
  failedBefore: v.optional(MOMENT),
};

const SETTINGS_OF_RUN = {
  dryRun: v.optional(v.boolean()),
  requestedBy: v.optional(TEXT),
  why: v.optional(TEXT),
  overtaken: v.optional(v.boolean()),
  ramp: v.optional(v.pipe(v.array(whole(1, 100_000)), v.minLength(1), v.maxLength(RAMP_STEPS))),
  stopAfterFailures: v.optional(whole(1, 100_000)),
};

// biome-ignore lint/nursery/useExplicitReturnType: the schema's type is what the output is inferred from.
function schemaOf({ partitions, replayLimit, replayRatePerSecond }: RequestBounds) {
  const plan = v.strictObject({
    digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
    limit: v.optional(whole(1, PLAN_LETTERS)),
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
function planSchemaOf({ partitions, replayLimit }: RequestBounds) {
  const request = v.strictObject({
    requestedBy: v.optional(TEXT),
    why: v.optional(TEXT),
    filter: v.optional(filterSchema(partitions)),
    limit: v.optional(whole(1, replayLimit)),
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

function brokenRule(issue: v.BaseIssue<unknown>, bounds: RequestBounds): string {
  const path = v.getDotPath(issue) ?? "";
  const field = path.replace(/\.\d+$/, "");
  const expected = expectations(bounds).get(field);
  if (expected === undefined) {
    const parent = /^(filter|plan)\./.exec(field)?.[0] ?? "";
    const known = [...expectations(bounds).keys()].filter(
      (name) => name !== "" && name.startsWith(parent),
    );
    return `Expected no field \`${path}\`; the fields are ${known.join(", ")}`;
  }
  const subject = path === "" ? "the request" : `\`${path}\``;
  return `Expected ${subject} to be ${expected}, got ${shown(issue.input)}`;
}

function expectations({
  partitions,
  replayLimit,
  replayRatePerSecond,
}: RequestBounds): ReadonlyMap<string, string> {
  const moment = "an ISO 8601 date or whole milliseconds since 1970";
  const text = `a text of at most ${TEXT_CHARACTERS} characters`;
  return new Map([
    ["", "a JSON object"],
    ["dryRun", "true or false"],
    ["filter", "an object"],
    ["filter.partition", `a whole number from 0 to ${partitions - 1}`],
    ["filter.key", "a text"],
    ["filter.ids", `1 to ${IDS_PER_REQUEST} record ids of 1 to ${RECORD_ID_CHARACTERS} characters`],
    ["filter.reason", text],
    ["filter.group", "the id of a group of reasons, 8 hexadecimal digits"],
    ["filter.failedAfter", moment],
    ["filter.failedBefore", moment],
    ["limit", `a whole number from 1 to ${replayLimit}, the backlog's replay limit`],
    [
      "ratePerSecond",
      `a number above 0 and up to ${replayRatePerSecond}, the backlog's replay rate`,
    ],
    ["requestedBy", text],
    ["why", text],
    ["plan", "an object"],
    ["plan.digest", "the digest of a plan, 64 hexadecimal digits"],
    ["plan.limit", `a whole number from 1 to ${PLAN_LETTERS}`],
    ["overtaken", "true or false"],
    ["ramp", `1 to ${RAMP_STEPS} whole numbers from 1 to 100000`],
    ["stopAfterFailures", "a whole number from 1 to 100000"],
  ]);
}

const SHOWN_CHARACTERS = 100;

function shown(value: unknown): string {
  const text = jsonOf(value);
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Node parses JSON of any depth, but writes it by recursion.
    return "a value that is nested too deeply to be shown";
  }
}
