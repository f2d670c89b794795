import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableOf } from "../../cli/terminal/table.ts";
import { machineLine, versionsLine } from "./machine.ts";
import type { FigureTable, Findings, Part, PartOptions, Target } from "./part.ts";

const FILE = join(import.meta.dirname, "../../docs/performance.md");

const INTRODUCTION = `# Performance

What order and safety cost, measured side by side with what a team would pick instead: the batch FIFO
processor of Powertools for AWS Lambda with its idempotency layer. \`npm run bench\` measures all of it
and writes this page; \`npm run bench -- ledger money\` only those parts. The contenders take turns in
each round, after one that is not kept; figures are medians, and ratios are medians of each round's
ratio. Times are of one machine and one moment: only ratios carry over. Counts, write units and the
bundle's size are also held by tests.
`;

/** Prints what a part found. */
export function printFindings({ title }: Part, { tables, targets }: Findings): void {
  console.log(`\n${title}`);
  for (const { title: heading, columns, rows } of tables) {
    console.log(`\n  ${heading}`);
    console.log(
      tableOf(
        columns.map((column, place) => ({ title: column, align: place === 0 ? "left" : "right" })),
        rows,
      ),
    );
  }
  for (const { aim, found, met } of targets) {
    console.log(`  ${met ? "met    " : "not met"} ${aim}: ${found}`);
  }
}

/** Writes the part's section of docs/performance.md and leaves the others as they are; the page has
 *  its sections in the order of `titles`, and no others. */
export function writeFindings(
  part: Part,
  findings: Findings,
  options: PartOptions & { readonly titles: readonly string[] },
): void {
  const sections = readSections();
  sections.set(part.title, sectionOf(findings, options));
  const text = options.titles
    .filter((title) => sections.has(title))
    .map((title) => `## ${title}\n\n${sections.get(title)?.trim()}\n`);
  writeFileSync(FILE, [INTRODUCTION, ...text].join("\n"));
}

function readSections(): Map<string, string> {
  if (!existsSync(FILE)) return new Map();
  const [, ...sections] = readFileSync(FILE, "utf8").split(/^## /mu);
  return new Map(
    sections.map((section) => {
      const end = section.indexOf("\n");
      return [section.slice(0, end), section.slice(end + 1)];
    }),
  );
}

function sectionOf(
  { method, tables, targets, tried = [] }: Findings,
  { rounds }: PartOptions,
): string {
  return [
    ...method,
    ...tables.map(markdownTable),
    ...(targets.length === 0 ? [] : [markdownTable(targetTable(targets))]),
    ...(tried.length === 0
      ? []
      : [`What was tried:\n\n${tried.map((one) => `- ${one}`).join("\n")}`]),
    `Measured ${new Date().toISOString().slice(0, 10)} in ${rounds} rounds on ${machineLine()}; ${versionsLine()}.`,
  ].join("\n\n");
}

function markdownTable({ title, columns, rows }: FigureTable): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = columns.map((_, place) => (place === 0 ? "---" : "---:"));
  return [`**${title}**`, "", line(columns), line(rule), ...rows.map(line)].join("\n");
}

function targetTable(targets: readonly Target[]): FigureTable {
  return { title: "Targets", columns: ["Target", "Found", ""], rows: targets.map(targetRow) };
}

function targetRow({ aim, found, met }: Target): readonly string[] {
  return [aim, found, met ? "met" : "**not met**"];
}
