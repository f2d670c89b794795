import type { Command } from "commander";
import { DEFAULT_NAME, type JsonOption, type VerbContext, verb } from "../verb.ts";
import { explain } from "./explain.ts";
import { partitions } from "./partitions.ts";
import { type TraceOptions, trace } from "./trace.ts";

/** Adds `partitions`, `explain` and `trace`. */
export function addPartitionVerbs(program: Command, { sessionOf, end }: VerbContext): void {
  verb(program, "partitions", "which partitions are blocked or have dead letters, the worst first")
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .action(async (name: string, options) => end(await partitions(name, sessionOf(options))));
  verb(program, "explain", "where a key goes, what blocks it, and what was applied there")
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .requiredOption("--key <key>", "the key as the publisher sends it")
    .action(async (name: string, options: JsonOption & { readonly key: string }) =>
      end(await explain(name, options.key, sessionOf(options))),
    );
  verb(program, "trace", "what became of one record")
    .argument("<id>", "the record's id")
    .option("--name <name>", "the backlog's name", DEFAULT_NAME)
    .option("--key <key>", "its key: then the batch entries of its partition are searched, too")
    .action(async (id: string, options: TraceOptions & JsonOption) =>
      end(await trace(id, options, sessionOf(options))),
    );
}
