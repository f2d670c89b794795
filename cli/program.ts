import { Command, CommanderError } from "commander";
import { EXIT_CODES } from "./exit-code.ts";
import { explainError } from "./explain-error.ts";
import { addLetterVerbs } from "./letters/letter-verbs.ts";
import type { Session } from "./session.ts";
import { addStatusVerbs } from "./status/status-verbs.ts";
import { JSON_VERSION, jsonOf } from "./terminal/json.ts";
import type { Terminal } from "./terminal/terminal.ts";
import type { VerbContext } from "./verb.ts";

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

function programOf(surroundings: Surroundings, end: (exitCode: number) => void): Command {
  const { errors, ...rest } = surroundings;
  const program = new Command("backlogorder")
    .description("Shows what is wrong with a backlog, where, since when, and what to do next.")
    .configureOutput({
      writeOut: (text) => rest.terminal.write(text.trimEnd()),
      writeErr: (text) => errors.write(text.trimEnd()),
    })
    .showHelpAfterError("Run it with --help for all options.")
    .exitOverride();
  const context: VerbContext = { sessionOf: ({ json = false }) => ({ ...rest, json }), end };
  addStatusVerbs(program, context);
  addLetterVerbs(program, context);
  return program;
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
