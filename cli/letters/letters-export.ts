import { locateBacklog } from "../backlog-location.ts";
import { EXIT_CODES } from "../exit-code.ts";
import type { Session } from "../session.ts";
import { type LetterFilterOptions, readLetterFilter, selectLetters } from "./letter-filter.ts";
import { letterJson } from "./letters-json.ts";
import { headingOf, remarksOn } from "./letters-text.ts";
import { readLetters } from "./read-letters.ts";

/** `letters export [name]`: one JSON object a line for each letter, without its payload. Heading and
 *  remarks go to the error stream, so that the output is the file. */
export async function lettersExport(
  name: string,
  options: LetterFilterOptions,
  session: Session,
): Promise<number> {
  const { clients, terminal, errors, nowMs } = session;
  const location = await locateBacklog(clients.ssm, name);
  const filter = readLetterFilter(options, { nowMs, partitions: location.partitions });
  const letters = await readLetters(session, location);
  const { taken, matched } = selectLetters(filter, letters.listed);
  errors.write(headingOf(taken.length, matched, filter, errors));
  for (let start = 0; start < taken.length; start += LINES_PER_WRITE) {
    const lines = taken
      .slice(start, start + LINES_PER_WRITE)
      .map((letter) => JSON.stringify(letterJson(letter), nullIfUnknown));
    terminal.write(lines.join("\n"));
  }
  for (const remark of remarksOn(letters, name)) errors.write(remark);
  return EXIT_CODES.ok;
}

const LINES_PER_WRITE = 1000;

/** As in every other JSON of the command, no field comes and goes. */
function nullIfUnknown(_name: string, value: unknown): unknown {
  return value === undefined ? null : value;
}
