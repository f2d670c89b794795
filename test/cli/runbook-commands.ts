import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const RUNBOOK = resolve(import.meta.dirname, "../../docs/runbook.md");

/**
 * Every line of the runbook that runs the command, in its order, of the demo's backlog.
 * @param section title of the only section to look at. @default - all
 */
export function runbookCommands(section?: string): readonly string[] {
  return sectionOf(section)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("npx backlogorder "))
    .map((line) => line.replace(/(?<= )backlog(?= |$)/, "demo"));
}

/** Mentions of the command anywhere in the runbook: each must be a line of its own. */
export function runbookMentions(): number {
  return sectionOf(undefined).split("npx backlogorder ").length - 1;
}

function sectionOf(title: string | undefined): string {
  const text = readFileSync(RUNBOOK, "utf8");
  if (title === undefined) return text;
  const section = text.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  if (section !== undefined) return section;
  throw new Error(`expected the runbook to have a section \`${title}\``);
}
