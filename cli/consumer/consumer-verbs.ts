import type { Command } from "commander";
import { DEFAULT_NAME, type JsonOption, type VerbContext, verb } from "../verb.ts";
import { type Switch, type SwitchOptions, switchConsumer } from "./switch-consumer.ts";

/** Adds `pause` and `resume`. */
export function addConsumerVerbs(program: Command, { sessionOf, end }: VerbContext): void {
  const add = (operation: Switch, description: string): void => {
    verb(program, operation, description)
      .argument("[name]", "the backlog's name", DEFAULT_NAME)
      .requiredOption("--why <text>", "why; kept with the act, and shown by `status`")
      .option("--ticket <text>", "where this is written down; kept with the act")
      .addHelpText("after", ENDS)
      .action(async (name: string, options: SwitchOptions & JsonOption) =>
        end(await switchConsumer(operation, name, options, sessionOf(options))),
      );
  };
  add("pause", "the consumer takes no further record; those in hand are handled to their end");
  add("resume", "the consumer takes records again");
}

const ENDS =
  "\nExit codes: 0 carried out, 1 asked for and not carried out yet, 2 refused, 3 cannot tell.";
