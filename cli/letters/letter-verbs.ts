import { type Command, Option } from "commander";
import { DEFAULT_NAME, type JsonOption, type VerbContext, verb } from "../verb.ts";
import { addLetterActs } from "./letter-acts.ts";
import { lettersShowPayload } from "./letter-acts-payload.ts";
import { type LetterFilterOptions, withLetterFilter } from "./letter-filter.ts";
import { type AffectedOptions, lettersAffected } from "./letters-affected.ts";
import { lettersExport } from "./letters-export.ts";
import { lettersGroups } from "./letters-groups.ts";
import { lettersList } from "./letters-list.ts";
import { lettersShow } from "./letters-show.ts";

/** Adds `letters` and its verbs. */
export function addLetterVerbs(program: Command, context: VerbContext): void {
  const { sessionOf, end } = context;
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
  withLetterFilter(verb(letters, "affected", "whose they are: keys and counts, for support"))
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .addOption(new Option("--format <format>").choices(["table", "csv"]).default("table"))
    .action(async (name: string, options: AffectedOptions & JsonOption) =>
      end(await lettersAffected(name, options, sessionOf(options))),
    );
  withLetterFilter(letters.command("export"))
    .description("one JSON object a line for each, without its payload")
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .action(async (name: string, options: LetterFilterOptions) =>
      end(await lettersExport(name, options, sessionOf({}))),
    );
  verb(letters, "show", "all that the ledger knows of one record, its payload aside")
    .argument("<id>", "the record's id")
    .option("--name <name>", "the backlog's name", DEFAULT_NAME)
    .option("--payload", "what the handler would get, for administrators; kept as an act")
    .action(async (id: string, options) => {
      const show = options.payload ? lettersShowPayload : lettersShow;
      end(await show(id, options.name, sessionOf(options)));
    });
  addLetterActs(letters, context);
}
