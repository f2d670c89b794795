import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import {
  describeFilter,
  type LetterFilter,
  type LetterFilterOptions,
  readLetterFilter,
  withLetterFilter,
} from "../letters/letter-filter.ts";
import { RefusedError } from "../refused-error.ts";
import { isoOf } from "../terminal/json.ts";
import { shellQuote } from "../terminal/shell-quote.ts";

/** What commander makes of the options that choose letters for a replay. */
export type SelectionOptions = LetterFilterOptions & {
  readonly id?: readonly string[];
  readonly all?: boolean;
};

/** Adds the filter that every verb over letters has, and what only a replay takes. */
export function withSelection(command: Command): Command {
  return withLetterFilter(command)
    .option("--id <id>", "only this record; may be given several times", also)
    .option("--all", "all dead letters: must be said where no filter is given");
}

/**
 * Reads the options; relative times become moments once and for all.
 * @throws RefusedError where there is neither a filter nor `--all`, or both.
 * @throws CommandError where the filter cannot be read, or a part of it is an empty text.
 */
export function readSelection(
  options: SelectionOptions,
  given: { readonly nowMs: number; readonly partitions: number },
): LetterFilter {
  assertNoneEmpty(options);
  const { letters, ...rest } = readLetterFilter(options, given);
  const filter = { ...rest, letters: { ...letters, ids: options.id } };
  const filtered = isFiltered(filter);
  if (filtered !== (options.all ?? false)) return filter;
  throw new RefusedError({
    code: filtered ? "all-and-filter" : "no-filter",
    message: filtered
      ? "Expected a filter or `--all`, got both"
      : "No filter says which dead letters are meant",
    remedy: filtered
      ? "leave `--all` out"
      : "give one (`--group`, `--key`, `--id`, ...), or say `--all` to mean every letter",
  });
}

/** A variable of the shell that is not set gives an empty text. As a part of the reason it would mean
 *  every letter, as a key or an id none. */
function assertNoneEmpty({ reason, key, group, id = [] }: SelectionOptions): void {
  const given = { reason, key, group, id: id.includes("") ? "" : undefined };
  for (const [option, text] of Object.entries(given)) {
    if (text !== "") continue;
    throw new CommandError({
      code: "bad-filter",
      message: `Expected \`--${option}\` to say which letters are meant, got an empty text`,
      remedy: "leave it out, or set the variable that it comes from",
    });
  }
}

/** Whether anything but the limit narrows the letters. */
export function isFiltered({ letters, group }: LetterFilter): boolean {
  return group !== undefined || Object.values(letters).some((value) => value !== undefined);
}

/** The filter as the function is asked with it. */
export function requestFilterOf({
  letters,
  group,
}: LetterFilter): Readonly<Record<string, unknown>> {
  const { failedAfterMs, failedBeforeMs, ...rest } = letters;
  return { ...rest, group, failedAfter: failedAfterMs, failedBefore: failedBeforeMs };
}

/** The filter as options that a shell takes again, with its times frozen; empty where all is meant
 *  and nothing is limited. */
export function selectionWords(filter: LetterFilter): string {
  const { ids = [] } = filter.letters;
  return [describeFilter(filter), ...ids.map((id) => `--id ${shellQuote(id)}`)]
    .filter((word) => word !== "")
    .join(" ");
}

/** As {@link selectionWords}, with `--all` where it must be said. */
export function commandWords(filter: LetterFilter): string {
  return [isFiltered(filter) ? "" : "--all", selectionWords(filter)]
    .filter((word) => word !== "")
    .join(" ");
}

/** The filter in the JSON answers and in plan files. */
export function selectionJson({ letters, group }: LetterFilter): Readonly<Record<string, unknown>> {
  const { partition, key, ids, reason, failedAfterMs, failedBeforeMs } = letters;
  return {
    partition,
    key,
    ids,
    reason,
    group,
    since: isoOf(failedAfterMs),
    until: isoOf(failedBeforeMs),
  };
}

function also(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
