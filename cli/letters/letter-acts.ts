import type { Command } from "commander";
import { interactionOf } from "../replay/interaction.ts";
import { type SelectionOptions, withSelection } from "../replay/selection.ts";
import { DEFAULT_NAME, type JsonOption, type VerbContext, verb } from "../verb.ts";
import { lettersDiscarded } from "./letter-acts-discarded.ts";
import { type AskOptions, duration, said } from "./letter-acts-options.ts";
import { type EditOptions, lettersEdit, lettersPurge } from "./letter-acts-payload.ts";
import { lettersRestore, type RestoreOptions } from "./letter-acts-restore.ts";
import { lettersDiscard, lettersRenew, type RenewOptions } from "./letter-acts-selection.ts";

/** Adds the verbs of `letters` that change something. */
export function addLetterActs(letters: Command, { sessionOf, end }: VerbContext): void {
  asking(withSelection(verb(letters, "discard", "set aside for good; kept until SQS deletes them")))
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .option("--yes", "ask nothing")
    .action(async (name: string, options: SelectionOptions & AskOptions & JsonOption) => {
      const interaction = interactionOf(process.stdin, process.stderr);
      end(await lettersDiscard(name, options, sessionOf(options), interaction));
    });
  verb(letters, "discarded", "those that are discarded, by whom and why")
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .action(async (name: string, options: JsonOption) =>
      end(await lettersDiscarded(name, sessionOf(options))),
    );
  asking(verb(letters, "restore", "take back what was discarded"))
    .argument("[ids...]", "the records' ids")
    .option("--all", "all that are discarded: must be said where no id is given")
    .option("--name <name>", "the backlog's name", DEFAULT_NAME)
    .action(async (ids: readonly string[], options: RestoreOptions & JsonOption) =>
      end(await lettersRestore(ids, options, sessionOf(options))),
    );
  asking(withSelection(verb(letters, "renew", "keep those near their end for another 14 days")))
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .option("--expiring-within <duration>", "only those that SQS deletes within it", duration, "8d")
    .action(async (name: string, options: RenewOptions & JsonOption) =>
      end(await lettersRenew(name, options, sessionOf(options))),
    );
  asking(verb(letters, "edit", "give a letter another payload, where the stack allows it"))
    .argument("<id>", "the record's id")
    .option("--payload <text>", "the new payload")
    .option("--payload-file <file>", "a file that holds it, `-` for the standard input")
    .option("--name <name>", "the backlog's name", DEFAULT_NAME)
    .action(async (id: string, options: EditOptions & JsonOption) =>
      end(await lettersEdit(id, options, sessionOf(options))),
    );
  asking(verb(letters, "purge", "delete a discarded letter now; nothing brings it back"))
    .argument("<id>", "the record's id")
    .option("--name <name>", "the backlog's name", DEFAULT_NAME)
    .action(async (id: string, options: AskOptions & { readonly name: string } & JsonOption) =>
      end(await lettersPurge(id, options, sessionOf(options))),
    );
}

function asking(command: Command): Command {
  return command
    .requiredOption("--why <text>", "why, for those who read the acts", said)
    .option("--ticket <text>", "where this is written down")
    .addHelpText(
      "after",
      "\nExit codes: 0 all done, 1 something failed or is left, 2 refused, 3 cannot tell.",
    );
}
