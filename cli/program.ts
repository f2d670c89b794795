import { Command, CommanderError } from "commander";
import { EXIT_CODES } from "./exit-code.ts";
import { explainError } from "./explain-error.ts";
import { type LetterFilterOptions, withLetterFilter } from "./letters/letter-filter.ts";
import { lettersGroups } from "./letters/letters-groups.ts";
import { lettersList } from "./letters/letters-list.ts";
import { lettersShow } from "./letters/letters-show.ts";
import type { Session } from "./session.ts";
import { status } from "./status/status.ts";
import { JSON_VERSION, jsonOf } from "./terminal/json.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** What the command runs in. */
export type Surroundings = Omit<Session, "json"> & {
  /** Where errors and hints go. */
  readonly errors: Terminal;
};

/**
 * Runs one command line, without Node's own two words. Resolves to the exit code: 0 ok, 1 warn,
 * 2 page, 3 cannot tell, a wrong command line included. Rejects only on a defect of its own.
 */
export async function runCommand(
  words: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  let exitCode = EXIT_CODES.ok;
  const program = programOf(surroundings, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...words], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.cannotTell;
    }
    tell(error, words.includes("--json"), surroundings);
    return EXIT_CODES.cannotTell;
  }
}

type Json = { readonly json?: boolean };

const DEFAULT_NAME = "backlog";

function programOf(surroundings: Surroundings, end: (exitCode: number) => void): Command {
  const { errors, ...rest } = surroundings;
  const sessionOf = ({ json = false }: Json): Session => ({ ...rest, json });
  const program = new Command("backlogorder")
    .description("Shows what is wrong with a backlog, where, since when, and what to do next.")
    .configureOutput({
      writeOut: (text) => rest.terminal.write(text.trimEnd()),
      writeErr: (text) => errors.write(text.trimEnd()),
    })
    .showHelpAfterError("Run it with --help for all options.")
    .exitOverride();
  verb(program, "status", "the verdict, who is blocked, and the dead letters")
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .addHelpText("after", "\nExit codes: 0 ok, 1 warn, 2 page, 3 cannot tell.")
    .action(async (name: string, options) => end(await status(name, sessionOf(options))));
  const letters = program.command("letters").description("look at the dead letters");
  withLetterFilter(verb(letters, "groups", "by what probably went wrong"))
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .action(async (name: string, options: LetterFilterOptions & Json) =>
      end(await lettersGroups(name, options, sessionOf(options))),
    );
  withLetterFilter(verb(letters, "list", "one by one, those that failed first at the top"))
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .action(async (name: string, options: LetterFilterOptions & Json) =>
      end(await lettersList(name, options, sessionOf(options))),
    );
  verb(letters, "show", "all that the ledger knows of one record, its payload aside")
    .argument("<id>", "the record's id")
    .option("--name <name>", "the backlog's name", DEFAULT_NAME)
    .action(async (id: string, options) =>
      end(await lettersShow(id, options.name, sessionOf(options))),
    );
  return program;
}

function verb(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option("--json", "answer in JSON, in the shape that docs/command.md describes");
}

function tell(error: unknown, json: boolean, { terminal, errors }: Surroundings): void {
  const explanation = explainError(error);
  if (explanation === undefined) throw error;
  const { code, message, remedy } = explanation;
  if (json) {
    terminal.write(
      jsonOf({ version: JSON_VERSION, kind: "error", error: { code, message, remedy } }),
    );
  }
  errors.write(`${errors.paint("page", "Cannot tell")} (${code}): ${message}. To do: ${remedy}.`);
}
