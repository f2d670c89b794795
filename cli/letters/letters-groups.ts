import { locateBacklog } from "../backlog-location.ts";
import { EXIT_CODES } from "../exit-code.ts";
import type { Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import { groupTable } from "./group-table.ts";
import { type LetterFilterOptions, readLetterFilter, selectLetters } from "./letter-filter.ts";
import { groupLetters, type LetterGroup } from "./letter-groups.ts";
import { envelopeOf, groupJson, selectionJson } from "./letters-json.ts";
import { headingOf, remarksOn } from "./letters-text.ts";
import { readLetters } from "./read-letters.ts";

/** `letters groups [name]`: the dead letters by what probably went wrong. */
export async function lettersGroups(
  name: string,
  options: LetterFilterOptions,
  session: Session,
): Promise<number> {
  const { clients, terminal, nowMs, json } = session;
  const location = await locateBacklog(clients.ssm, name);
  const filter = readLetterFilter(options, { nowMs, partitions: location.partitions });
  const letters = await readLetters(session, location);
  const selection = selectLetters(filter, letters.listed);
  const groups = groupLetters(selection.taken);
  if (json) {
    const answer = {
      ...envelopeOf("letters-groups", location, nowMs),
      ...selectionJson(filter, letters, selection),
      groups: groups.map(groupJson),
    };
    terminal.write(jsonOf(answer));
    return EXIT_CODES.ok;
  }
  terminal.write(headingOf(selection.taken.length, selection.matched, filter, terminal));
  if (groups.length > 0) terminal.write(groupTable(groups, nowMs, terminal.width));
  for (const remark of remarksOn(letters, name)) terminal.write(remark);
  terminal.write(`Next: ${nextCommand(groups, name)}`);
  return EXIT_CODES.ok;
}

function nextCommand(groups: readonly LetterGroup[], name: string): string {
  const [largest] = groups;
  return largest === undefined
    ? `npx backlogorder status ${name}`
    : `npx backlogorder letters list ${name} --group ${largest.group}`;
}
