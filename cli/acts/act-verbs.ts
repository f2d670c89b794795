import { type Command, InvalidArgumentError } from "commander";
import { DEFAULT_NAME, type JsonOption, type VerbContext, verb } from "../verb.ts";
import { type ActsListOptions, actsList } from "./acts-list.ts";
import { actsShow } from "./acts-show.ts";

/** Adds `acts` and its verbs. */
export function addActVerbs(program: Command, { sessionOf, end }: VerbContext): void {
  const acts = program.command("acts").description("what operators did, why, and what came of it");
  verb(acts, "list", "what operators had done, the newest first")
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .option("--limit <number>", "at most so many, up to 1000", limit, 20)
    .action(async (name: string, options: ActsListOptions & JsonOption) =>
      end(await actsList(name, options, sessionOf(options))),
    );
  verb(acts, "show", "one act with what became of each letter")
    .argument("<id>", "the act's id; of a replay, its run's")
    .option("--name <name>", "the backlog's name", DEFAULT_NAME)
    .action(async (id: string, options) =>
      end(await actsShow(id, options.name, sessionOf(options))),
    );
}

const LIMIT = 1000;

function limit(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= LIMIT) return value;
  throw new InvalidArgumentError(`Expected a whole number from 1 to ${LIMIT}.`);
}
