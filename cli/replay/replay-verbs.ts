import type { Command } from "commander";
import { DEFAULT_NAME, type JsonOption, type VerbContext, verb } from "../verb.ts";
import { interactionOf } from "./interaction.ts";
import { replayCancel } from "./replay-cancel.ts";
import { type PlanOptions, replayPlan } from "./replay-plan.ts";
import { replayRun } from "./replay-run.ts";
import { replayStatus } from "./replay-status.ts";
import { type RunOptions, withRunOptions } from "./run-options.ts";
import { withSelection } from "./selection.ts";

/** Adds `replay` and its verbs. */
export function addReplayVerbs(program: Command, { sessionOf, end }: VerbContext): void {
  const replay = program
    .command("replay")
    .description("send dead letters back once their cause is mended");
  withSelection(verb(replay, "plan", "what a replay would do with each letter; writes nothing"))
    .option("--overtaken", "plan to send letters that later records of their key have overtaken")
    .option("--out <file>", "keep the plan for `replay run --plan`")
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .action(async (name: string, options: PlanOptions & JsonOption) =>
      end(await replayPlan(name, options, sessionOf(options))),
    );
  withRunOptions(verb(replay, "run", "send them, and say what exactly happened"))
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .addHelpText("after", RUN_ENDS)
    .action(async (name: string, options: RunOptions & JsonOption) => {
      const interaction = interactionOf(process.stdin, process.stderr);
      end(await replayRun(name, options, sessionOf(options), interaction));
    });
  verb(replay, "status", "who replays now, and the last runs")
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .action(async (name: string, options) => end(await replayStatus(name, sessionOf(options))));
  verb(replay, "cancel", "the running replay, or the one of this id, sends no further letter")
    .argument("[name]", "the backlog's name", DEFAULT_NAME)
    .argument("[runId]", "the run's id, as `replay status` names it")
    .action(async (name: string, runId: string | undefined, options) =>
      end(await replayCancel(name, runId, sessionOf(options))),
    );
}

const RUN_ENDS =
  "\nExit codes: 0 all done, 1 something failed, is left or pending, 2 refused or stopped, 3 cannot tell.";
