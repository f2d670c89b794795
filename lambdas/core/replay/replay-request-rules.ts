import { type BaseIssue, getDotPath } from "valibot";
import { RECORD_ID_CHARACTERS } from "../limits.ts";
import type { Settings } from "../settings.ts";

export const REQUEST_LIMITS = {
  /** Ids of one request: its filter is looked through for each letter. */
  ids: 1000,
  /** Steps of one ramp. */
  rampSteps: 20,
  /** Characters of the texts that are kept in the log. */
  textCharacters: 1000,
  /** Letters that a plan covers at most. */
  planLetters: 100_000,
} as const;

/** What is asked for; each has fields of its own. */
export type RequestKind = "run" | "plan";

type RequestBounds = Pick<Settings, "partitions" | "replayLimit" | "replayRatePerSecond">;

/** One rule that a request breaks, in words: what was expected and what came. */
export function brokenRule(
  issue: BaseIssue<unknown>,
  kind: RequestKind,
  bounds: RequestBounds,
): string {
  const path = getDotPath(issue) ?? "";
  const expectations = kind === "run" ? expectedOfRun(bounds) : expectedOfPlan(bounds);
  const expected = expectations.get(path.replace(/\.\d+$/, ""));
  if (expected === undefined) {
    const parent = /^(filter|plan)\./.exec(path)?.[0] ?? "";
    const known = [...expectations.keys()].filter((name) => name !== "" && name.startsWith(parent));
    const where = kind === "plan" ? " in the request of a plan" : "";
    const got = shown(issue.path?.at(-1)?.value);
    return `Expected no field \`${path}\`${where}, got ${got}; the fields are ${known.join(", ")}`;
  }
  const subject = path === "" ? "the request" : `\`${path}\``;
  return `Expected ${subject} to be ${expected}, got ${shown(issue.input)}`;
}

type Expectations = ReadonlyMap<string, string>;

function expectedOfRun({
  partitions,
  replayLimit,
  replayRatePerSecond,
}: RequestBounds): Expectations {
  return new Map([
    ["", "a JSON object"],
    ["dryRun", "true or false"],
    ...filterExpectations(partitions),
    ["limit", `a whole number from 1 to ${replayLimit}, the backlog's replay limit`],
    [
      "ratePerSecond",
      `a number above 0 and up to ${replayRatePerSecond}, the backlog's replay rate`,
    ],
    ["requestedBy", TEXT],
    ["why", TEXT],
    ["plan", "an object"],
    ["plan.digest", "the digest of a plan, 64 hexadecimal digits"],
    ["plan.limit", `a whole number from 1 to ${REQUEST_LIMITS.planLetters}`],
    ["overtaken", "true or false"],
    ["ramp", `1 to ${REQUEST_LIMITS.rampSteps} whole numbers from 1 to 100000`],
    ["stopAfterFailures", "a whole number from 1 to 100000"],
  ]);
}

function expectedOfPlan({ partitions }: RequestBounds): Expectations {
  return new Map([
    ["", "a JSON object"],
    ...filterExpectations(partitions),
    ["limit", `a whole number from 1 to ${REQUEST_LIMITS.planLetters}`],
    ["requestedBy", TEXT],
    ["why", TEXT],
    ["overtaken", "true or false"],
  ]);
}

function filterExpectations(partitions: number): readonly [field: string, expected: string][] {
  const { ids, textCharacters } = REQUEST_LIMITS;
  return [
    ["filter", "an object"],
    ["filter.partition", `a whole number from 0 to ${partitions - 1}`],
    ["filter.key", "a text"],
    ["filter.ids", `1 to ${ids} record ids of 1 to ${RECORD_ID_CHARACTERS} characters`],
    ["filter.reason", `a text of 1 to ${textCharacters} characters`],
    ["filter.group", "the id of a group of reasons, 8 hexadecimal digits"],
    ["filter.failedAfter", MOMENT],
    ["filter.failedBefore", MOMENT],
  ];
}

const MOMENT = "an ISO 8601 date or whole milliseconds since 1970";
const TEXT = `a text of at most ${REQUEST_LIMITS.textCharacters} characters`;

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
