import type { Command } from "commander";
import { DEFAULT_NAME, type JsonOption, type VerbContext, verb } from "../verb.ts";
import { type LetterFilterOptions, withLetterFilter } from "./letter-filter.ts";
import { lettersGroups } from "./letters-groups.ts";
import { lettersList } from "./letters-list.ts";
import { lettersShow } from "./letters-show.ts";

/** Adds `letters` and its verbs. */
export function addLetterVerbs(program: Command, { sessionOf, end }: VerbContext): void {
  const letters = program.command("letters").description("look at the dead letters");
  withLetterFilter(verb(letters, "groups", "by what probably went wrong"))
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .action(async (name: string, options: LetterFilterOptions & JsonOption) =>
      end(await lettersGroups(name, options, sessionOf(options))),
    );
  withLetterFilter(verb(letters, "list", "one by one, those that failed first at the top"))
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .action(async (name: string, options: LetterFilterOptions & JsonOption) =>
      end(await lettersList(name, options, sessionOf(options))),
    );
  verb(letters, "show", "all that the ledger knows of one record, its payload aside")
    .argument("<id>", "the record's id")
    .option("--name <name>", "the backlog's name", DEFAULT_NAME)
    .action(async (id: string, options) =>
      end(await lettersShow(id, options.name, sessionOf(options))),
    );
}
