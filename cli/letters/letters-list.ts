import { locateBacklog } from "../backlog-location.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { recordCommand } from "../record-command.ts";
import type { Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import { printable } from "../terminal/printable.ts";
import { tableOf } from "../terminal/table.ts";
import type { Letter } from "./letter.ts";
import { type LetterFilterOptions, readLetterFilter, selectLetters } from "./letter-filter.ts";
import { envelopeOf, letterJson, selectionJson } from "./letters-json.ts";
import { ageText, headingOf, remarksOn, untilText } from "./letters-text.ts";
import { readLetters } from "./read-letters.ts";

/** `letters list [name]`: the dead letters one by one, those that failed first at the top. */
export async function lettersList(
  name: string,
  options: LetterFilterOptions,
  session: Session,
): Promise<number> {
  const { clients, terminal, nowMs, json } = session;
  const location = await locateBacklog(clients.ssm, name);
  const filter = readLetterFilter(
    { ...options, limit: options.limit ?? LIMIT },
    { nowMs, partitions: location.partitions },
  );
  const letters = await readLetters(session, location);
  const selection = selectLetters(filter, letters.listed);
  if (json) {
    const answer = {
      ...envelopeOf("letters-list", location, nowMs),
      ...selectionJson(filter, letters, selection),
      list: selection.taken.map(letterJson),
    };
    terminal.write(jsonOf(answer));
    return EXIT_CODES.ok;
  }
  const { taken, matched } = selection;
  terminal.write(headingOf(taken.length, matched, filter, terminal));
  if (taken.length > 0) terminal.write(letterTable(taken, nowMs, terminal.width));
  for (const remark of remarksOn(letters, name)) terminal.write(remark);
  terminal.write(`Next: ${nextCommand(taken, name)}`);
  return EXIT_CODES.ok;
}

/** Letters of one list unless `--limit` says otherwise: what people read, and what a pipe bears. */
const LIMIT = 100;

function letterTable(letters: readonly Letter[], nowMs: number, width: number | undefined): string {
  return tableOf(
    [
      { title: "id" },
      { title: "key" },
      { title: "partition", align: "right" },
      { title: "attempts", align: "right" },
      { title: "failed" },
      { title: "expires" },
      { title: "group" },
      { title: "reason" },
    ],
    letters.map((letter) => [
      printable(letter.id),
      printable(letter.key),
      String(letter.partition),
      String(letter.attempts),
      ageText(letter.failedAtMs, nowMs),
      untilText(letter.expiresAtMs, nowMs),
      letter.group,
      printable(letter.reason ?? ""),
    ]),
    { width },
  );
}

function nextCommand([first]: readonly Letter[], name: string): string {
  return first === undefined
    ? `npx backlogorder letters groups ${name}`
    : recordCommand("letters show", first.id, `--name ${name}`);
}
