import type { Command } from "commander";
import { DEFAULT_NAME, type JsonOption, type VerbContext, verb } from "../verb.ts";
import { type PublishInteraction, type PublishOptions, publish } from "./publish.ts";
import { publishProgress } from "./publish-progress.ts";

/** Adds `publish`. */
export function addPublishVerbs(program: Command, { sessionOf, end }: VerbContext): void {
  verb(program, "publish", 'publish NDJSON lines such as {"key": "player:1", "payload": {}}')
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .argument("[file]", "the lines; stdin where none is named, or `-`")
    .option("--dry-run", "only check the lines, and count them by partition")
    .addHelpText("after", ENDS)
    .action(
      async (
        name: string,
        file: string | undefined,
        options: Omit<PublishOptions, "file"> & JsonOption,
      ) => {
        try {
          end(await publish(name, { ...options, file }, sessionOf(options), interaction()));
        } finally {
          // A pipe that stays open and silent would keep the process for ever.
          process.stdin.destroy();
        }
      },
    );
}

const ENDS =
  "\nExit codes: 0 all published, 1 some lines refused and the rest published, 3 cannot tell: a record failed, or Ctrl-C.";

function interaction(): PublishInteraction {
  return {
    input: process.stdin,
    progress: (bytes) => publishProgress(process.stderr, bytes),
    onInterrupt(listener): () => void {
      process.on("SIGINT", listener);
      return () => process.off("SIGINT", listener);
    },
  };
}
