import { type Command, InvalidArgumentError } from "commander";
import { compareFailures } from "../../lambdas/core/letters/letter-order.ts";
import { matchesFilter, type ReplayFilter } from "../../lambdas/core/replay/replay-filter.ts";
import { CommandError } from "../command-error.ts";
import { exactMoment, formatMoment, parseMoment } from "../terminal/moment.ts";
import { shellQuote } from "../terminal/shell-quote.ts";
import type { Letter } from "./letter.ts";

/** Which letters a verb takes: a replay's filter, so that a replay of the same one takes the same
 *  letters; and a group, which is the command's own. */
export type LetterFilter = {
  readonly letters: ReplayFilter;
  readonly group: string | undefined;
  /** Letters taken at most: those that failed first; by a replay the oldest ones. */
  readonly limit: number | undefined;
};

/** What commander makes of the options. */
export type LetterFilterOptions = {
  readonly partition?: number;
  readonly key?: string;
  readonly reason?: string;
  readonly group?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
};

/** Adds the options that every verb over letters shares. */
export function withLetterFilter(command: Command): Command {
  return command
    .option("--partition <number>", "only of this partition", whole)
    .option("--key <key>", "only of this key")
    .option("--reason <text>", "only with this text in the reason, letter case included", some)
    .option("--group <group>", "only of this group, as `letters groups` names it")
    .option("--since <moment>", "only failed then or later: 2h, 7d or an ISO 8601 date (UTC)")
    .option("--until <moment>", "only failed before then")
    .option(
      "--limit <number>",
      "at most so many: those that failed first, of a replay the oldest, of renew any",
      positive,
    );
}

/**
 * Reads the options; relative times become moments once and for all.
 * @throws CommandError where a moment cannot be read, or no letter could ever match.
 */
export function readLetterFilter(
  options: LetterFilterOptions,
  { nowMs, partitions }: { readonly nowMs: number; readonly partitions: number },
): LetterFilter {
  const { partition, key, reason, group, since, until, limit } = options;
  if (partition !== undefined && partition >= partitions) {
    throw refusal(`Expected \`--partition\` from 0 to ${partitions - 1}, got \`${partition}\``);
  }
  const momentOf = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : parseMoment(text, nowMs);
  const [failedAfterMs, failedBeforeMs] = [momentOf(since), momentOf(until)];
  if (
    failedAfterMs !== undefined &&
    failedBeforeMs !== undefined &&
    failedAfterMs >= failedBeforeMs
  ) {
    throw refusal(
      `Expected \`--since\` before \`--until\`, got ${formatMoment(failedAfterMs)} and ${formatMoment(failedBeforeMs)}`,
    );
  }
  return { letters: { partition, key, reason, failedAfterMs, failedBeforeMs }, group, limit };
}

/** Letters that match, those that failed first at the front, and how many match beyond the limit. */
export function selectLetters(
  { letters: filter, group, limit }: LetterFilter,
  letters: readonly Letter[],
): { readonly matched: number; readonly taken: readonly Letter[] } {
  const matching = letters
    .filter((letter) => matchesFilter(filter, letter) && (group ?? letter.group) === letter.group)
    .toSorted(compareFailures);
  return { matched: matching.length, taken: matching.slice(0, limit) };
}

/** The filter as options that a shell takes again, with its times frozen; empty where there is none. */
export function describeFilter({ letters, group, limit }: LetterFilter): string {
  const { partition, key, reason, failedAfterMs, failedBeforeMs } = letters;
  const parts = [
    ["--partition", partition],
    ["--key", key === undefined ? undefined : shellQuote(key)],
    ["--reason", reason === undefined ? undefined : shellQuote(reason)],
    ["--group", group === undefined ? undefined : shellQuote(group)],
    ["--since", failedAfterMs === undefined ? undefined : exactMoment(failedAfterMs)],
    ["--until", failedBeforeMs === undefined ? undefined : exactMoment(failedBeforeMs)],
    ["--limit", limit],
  ] as const;
  return parts.flatMap(([name, value]) => (value === undefined ? [] : [name, value])).join(" ");
}

/** An empty text is in every reason: of a variable that is not set, it would mean every letter. */
function some(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Expected a part of the reason, got an empty text.");
}

function whole(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("Expected a whole number from 0 and up.");
}

function positive(text: string): number {
  const value = whole(text);
  if (value >= 1) return value;
  throw new InvalidArgumentError("Expected a whole number from 1 and up.");
}

function refusal(message: string): CommandError {
  return new CommandError({
    code: "bad-filter",
    message,
    remedy: "no letter could match; change the filter",
  });
}
