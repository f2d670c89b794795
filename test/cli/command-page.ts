import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type Command, CommanderError } from "commander";
import { programOf } from "../../cli/program.ts";

/** The text of a page, its path from the project's folder. */
export function pageOf(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

/** Code spans of a text, without their quotes. */
export function spansIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
}

/** Command lines in the blocks of a text, to be pasted as they are: what stands behind the command. */
export function examplesIn(text: string): readonly string[] {
  return text
    .split("\n")
    .flatMap((line) => /^ {4}.*npx backlogorder (?!<)(.*)$/.exec(line)?.[1] ?? []);
}

/** Command lines that the sentences of a text quote. */
export function quotedIn(text: string): readonly string[] {
  return spansIn(text).flatMap((span) => /^npx backlogorder (?!<)(.*)$/.exec(span)?.[1] ?? []);
}

/** Each verb with its words, such as `letters list`. */
export function verbs(): ReadonlyMap<string, Command> {
  const found = new Map<string, Command>();
  const visit = (command: Command, path: readonly string[]): void => {
    const below = command.commands.filter((each) => each.name() !== "help");
    if (below.length === 0) found.set(path.join(" "), command);
    for (const each of below) visit(each, [...path, each.name()]);
  };
  visit(quietProgram(), []);
  return found;
}

/** The verb that a text begins with. */
export function verbIn(text: string): string | undefined {
  return [...verbs().keys()]
    .toSorted((left, right) => right.length - left.length)
    .find((verb) => text === verb || text.startsWith(`${verb} `));
}

/** Has the program read a command line as a shell hands it on, and do nothing. @returns what is wrong */
export function faultOf(line: string): CommanderError | undefined {
  try {
    quietProgram().parse(wordsOf(line), { from: "user" });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error;
    throw error;
  }
}

/** The same for a form: its places to be filled in, such as `<id>` and `[name]`, stand for any value, and
 *  it need not be complete. */
export function faultOfForm(form: string): CommanderError | undefined {
  const fault = faultOf(form.replace(/<[\w ]+>(\.\.\.)?|\[\w+\](\.\.\.)?/g, "7"));
  return fault !== undefined && LEFT_OPEN.has(fault.code) ? undefined : fault;
}

const LEFT_OPEN: ReadonlySet<string> = new Set([
  "commander.missingArgument",
  "commander.missingMandatoryOptionValue",
  "commander.invalidArgument",
]);

function wordsOf(line: string): readonly string[] {
  const read = execFileSync("bash", ["-c", `printf '%s\\0' ${line}`]).toString();
  return read.split("\0").slice(0, -1);
}

function quietProgram(): Command {
  const quiet = { write: () => undefined, width: undefined, paint: (_: unknown, t: string) => t };
  const surroundings = { clients: {} as never, terminal: quiet, errors: quiet, nowMs: 0 };
  const program = programOf(surroundings, () => undefined);
  const silence = (command: Command): void => {
    command.action(() => undefined);
    command.commands.forEach(silence);
  };
  program.commands.forEach(silence);
  return program;
}
