import { stringify } from "csv-stringify/sync";
import { locateBacklog } from "../backlog-location.ts";
import { EXIT_CODES } from "../exit-code.ts";
import type { Session } from "../session.ts";
import { isoOf, jsonOf } from "../terminal/json.ts";
import { printable } from "../terminal/printable.ts";
import { tableOf } from "../terminal/table.ts";
import { type AffectedKey, affectedKeys } from "./affected-keys.ts";
import { type LetterFilterOptions, readLetterFilter, selectLetters } from "./letter-filter.ts";
import { envelopeOf, selectionJson } from "./letters-json.ts";
import { ageText, grouped, headingOf, remarksOn, untilText } from "./letters-text.ts";
import { readLetters } from "./read-letters.ts";

export type AffectedOptions = LetterFilterOptions & { readonly format: "table" | "csv" };

/** `letters affected [name]`: keys and how many dead letters each has, for support. As CSV the output
 *  is the file, and heading and remarks go to the error stream. */
export async function lettersAffected(
  name: string,
  { format, ...options }: AffectedOptions,
  session: Session,
): Promise<number> {
  const { clients, terminal, errors, nowMs, json } = session;
  const location = await locateBacklog(clients.ssm, name);
  const filter = readLetterFilter(options, { nowMs, partitions: location.partitions });
  const letters = await readLetters(session, location);
  const selection = selectLetters(filter, letters.listed);
  const keys = affectedKeys(selection.taken);
  if (json) {
    const answer = {
      ...envelopeOf("letters-affected", location, nowMs),
      ...selectionJson(filter, letters, selection),
      keys: keys.map(keyJson),
    };
    terminal.write(jsonOf(answer));
    return EXIT_CODES.ok;
  }
  const about = format === "csv" ? errors : terminal;
  about.write(headingOf(selection.taken.length, selection.matched, filter, about));
  about.write(`${grouped(keys.length)} ${keys.length === 1 ? "key" : "keys"} affected`);
  if (format === "csv") terminal.write(csvOf(keys));
  else if (keys.length > 0) terminal.write(keyTable(keys, nowMs, terminal.width));
  for (const remark of remarksOn(letters, name)) about.write(remark);
  about.write(`Next: npx backlogorder letters groups ${name}`);
  return EXIT_CODES.ok;
}

/** A spreadsheet runs a cell that begins with one of = + - @ as a formula; a key is a player's own
 *  text, so such cells begin with a quote instead. https://owasp.org/www-community/attacks/CSV_Injection */
function csvOf(keys: readonly AffectedKey[]): string {
  const rows = keys.map(({ key, letters, groups, ...moments }) => [
    key,
    letters,
    isoOf(moments.firstFailedAtMs) ?? "",
    isoOf(moments.lastFailedAtMs) ?? "",
    isoOf(moments.nearestExpiryAtMs) ?? "",
    groups.join(" "),
  ]);
  const header = ["key", "letters", "firstFailedAt", "lastFailedAt", "nearestExpiry", "groups"];
  return stringify([header, ...rows], { escape_formulas: true, record_delimiter: "\n" }).trimEnd();
}

function keyTable(keys: readonly AffectedKey[], nowMs: number, width: number | undefined): string {
  return tableOf(
    [
      { title: "key" },
      { title: "letters", align: "right" },
      { title: "first failed" },
      { title: "last failed" },
      { title: "expires" },
      { title: "groups" },
    ],
    keys.map(({ key, letters, groups, ...moments }) => [
      printable(key),
      grouped(letters),
      ageText(moments.firstFailedAtMs, nowMs),
      ageText(moments.lastFailedAtMs, nowMs),
      untilText(moments.nearestExpiryAtMs, nowMs),
      groups.join(", "),
    ]),
    { width },
  );
}

function keyJson({
  key,
  letters,
  groups,
  ...moments
}: AffectedKey): Readonly<Record<string, unknown>> {
  return {
    key,
    letters,
    groups,
    firstFailedAt: isoOf(moments.firstFailedAtMs),
    lastFailedAt: isoOf(moments.lastFailedAtMs),
    nearestExpiry: isoOf(moments.nearestExpiryAtMs),
  };
}
