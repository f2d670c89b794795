import type { Command } from "commander";
import { DEFAULT_NAME, type VerbContext, verb } from "../verb.ts";
import { status } from "./status.ts";

/** Adds `status`. */
export function addStatusVerbs(program: Command, { sessionOf, end }: VerbContext): void {
  verb(program, "status", "the verdict, who is blocked, and the dead letters")
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .addHelpText("after", "\nExit codes: 0 ok, 1 warn, 2 page, 3 cannot tell.")
    .action(async (name: string, options) => end(await status(name, sessionOf(options))));
}
