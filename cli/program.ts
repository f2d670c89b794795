import { Command, CommanderError, Help } from "commander";
import { addActVerbs } from "./acts/act-verbs.ts";
import { addCapacityVerbs } from "./capacity/capacity-verbs.ts";
import { addConsumerVerbs } from "./consumer/consumer-verbs.ts";
import { EXIT_CODES } from "./exit-code.ts";
import { explainError } from "./explain-error.ts";
import { addLetterVerbs } from "./letters/letter-verbs.ts";
import { addPartitionVerbs } from "./partitions/partition-verbs.ts";
import { addPublishVerbs } from "./publish/publish-verbs.ts";
import { RefusedError } from "./refused-error.ts";
import { addReplayVerbs } from "./replay/replay-verbs.ts";
import type { Session } from "./session.ts";
import { addStatusVerbs } from "./status/status-verbs.ts";
import { JSON_VERSION, jsonOf } from "./terminal/json.ts";
import type { VerbContext } from "./verb.ts";

/** What the command runs in. */
export type Surroundings = Omit<Session, "json">;

/**
 * Runs one command line, without Node's own two words. Resolves to the exit code: 0 ok, 1 warn
 * or unfinished, 2 page or refused, 3 cannot tell, a wrong command line included. Rejects only on a
 * defect of its own.
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
    return error instanceof RefusedError ? EXIT_CODES.refused : EXIT_CODES.cannotTell;
  }
}

/** All verbs with their arguments and options. `end` is told the exit code of the verb that ran. */
export function programOf(surroundings: Surroundings, end: (exitCode: number) => void): Command {
  const { terminal, errors } = surroundings;
  const program = new Command("backlogorder")
    .description("Shows what is wrong with a backlog, where, since when, and what to do next.")
    .configureOutput({
      writeOut: (text) => terminal.write(text.trimEnd()),
      writeErr: (text) => errors.write(text.trimEnd()),
    })
    .configureHelp({
      optionDescription: (option) =>
        new Help().optionDescription(option) + (option.mandatory ? " (required)" : ""),
    })
    .addHelpText("after", START)
    .showHelpAfterError("Run it with --help for all options.")
    .exitOverride();
  const context: VerbContext = {
    sessionOf: ({ json = false }) => ({ ...surroundings, json }),
    end,
  };
  addStatusVerbs(program, context);
  addPartitionVerbs(program, context);
  addLetterVerbs(program, context);
  addReplayVerbs(program, context);
  addConsumerVerbs(program, context);
  addPublishVerbs(program, context);
  addActVerbs(program, context);
  addCapacityVerbs(program, context);
  return program;
}

const START =
  "\nStart with `backlogorder status <name>`; each answer names the next command. The name is `backlog` unless given.\nEvery command takes --help. All of them, exit codes and JSON shapes: docs/command.md.";

function tell(error: unknown, json: boolean, { terminal, errors }: Surroundings): void {
  const explanation = explainError(error);
  if (explanation === undefined) throw error;
  const { code, message, remedy } = explanation;
  if (json) {
    terminal.write(
      jsonOf({ version: JSON_VERSION, kind: "error", error: { code, message, remedy } }),
    );
  }
  const what = error instanceof RefusedError ? "Refused" : "Cannot tell";
  errors.write(`${errors.paint("page", what)} (${code}): ${message}. To do: ${remedy}.`);
}
