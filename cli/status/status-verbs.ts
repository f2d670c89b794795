import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../terminal/duration.ts";
import { DEFAULT_NAME, type JsonOption, type VerbContext, verb } from "../verb.ts";
import { status } from "./status.ts";
import { watchUntilInterrupted } from "./watch-screen.ts";
import { watchStatus } from "./watch-status.ts";

/** Adds `status`. */
export function addStatusVerbs(program: Command, { sessionOf, end }: VerbContext): void {
  verb(program, "status", "the verdict, who is blocked, and the dead letters")
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .option("--watch", "look again and again until Ctrl-C; the exit code is the last look's")
    .addOption(
      new Option("--interval <duration>", "time between two looks of a watch, 1s to 1d")
        .argParser(interval)
        .default(2000, "2s"),
    )
    .addHelpText("after", "\nExit codes: 0 ok, 1 warn, 2 page, 3 cannot tell.")
    .action(async (name: string, options: StatusOptions) => {
      const session = sessionOf(options);
      if (options.watch !== true) return end(await status(name, session));
      const { json } = session;
      const watch = watchUntilInterrupted(process.stdout, { intervalMs: options.interval, json });
      return end(await watchStatus(name, session, watch));
    });
}

type StatusOptions = JsonOption & { readonly watch?: boolean; readonly interval: number };

/** Node takes a timer of more than 24.8 days for one of a millisecond. */
const INTERVAL_MAX_MS = 86_400_000;

/** Each look costs some requests, and CloudWatch's alarms change once a minute. */
function interval(text: string): number {
  const intervalMs = parseDuration(text) ?? parseDuration(`${text}s`);
  if (intervalMs !== undefined && intervalMs >= 1000 && intervalMs <= INTERVAL_MAX_MS) {
    return intervalMs;
  }
  throw new InvalidArgumentError("Expected a duration from 1s to 1d, such as 2s or 1m.");
}
