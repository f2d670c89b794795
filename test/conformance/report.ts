import Table from "cli-table3";
import type { Answer } from "./ask-cases.ts";
import { EXPECTED } from "./expected.ts";

const WIDTHS = [44, 36, 40];

/** Prints what differs. Gives the exit code: 1 where something differs that nobody expected. */
export function report(answers: readonly Answer[], say: (text: string) => void): 0 | 1 {
  const reasons = new Map(
    EXPECTED.flatMap(({ why, titles }) => titles.map((title) => [title, why])),
  );
  const differences = answers.filter(({ seen }) => seen !== undefined);
  const expected = differences.filter(({ title }) => reasons.has(title));
  const unexpected = differences.filter(({ title }) => !reasons.has(title));
  const print = (head: string, found: readonly Answer[]) => {
    if (found.length === 0) return;
    const table = new Table({
      ...{ head: [head, "seen", "why"], colWidths: WIDTHS, wordWrap: true },
      style: { head: [], border: [], compact: true },
    });
    table.push(...found.map(({ title, seen = "" }) => [title, seen, reasons.get(title) ?? "-"]));
    say(table.toString());
  };
  print("expected difference", expected);
  print("UNEXPECTED difference", unexpected);
  const kept = new Set(answers.filter(({ seen }) => seen === undefined).map(({ title }) => title));
  for (const title of EXPECTED.flatMap((one) => (one.sometimes ? [] : one.titles))) {
    if (kept.has(title)) say(`no longer differs, take it off the list: ${title}`);
  }
  say(
    `${answers.length} asked: ${kept.size} the same, ${expected.length} differ as expected, ${unexpected.length} unexpected`,
  );
  return unexpected.length === 0 ? 0 : 1;
}
