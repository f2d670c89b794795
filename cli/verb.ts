import type { Command } from "commander";
import type { Session } from "./session.ts";

/** What the verbs of every noun share. */
export type VerbContext = {
  readonly sessionOf: (options: JsonOption) => Session;
  /** Takes the exit code of the verb that ran. */
  readonly end: (exitCode: number) => void;
};

export type JsonOption = { readonly json?: boolean };

/** The backlog that is meant where none is named. */
export const DEFAULT_NAME = "backlog";

/** A verb with the options that every verb has. */
export function verb(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option("--json", "answer in JSON, in the shape that docs/command.md describes");
}
