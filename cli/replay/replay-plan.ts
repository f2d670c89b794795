import type { ReplayPlan } from "../../lambdas/core/replay/plan-replay.ts";
import { type BacklogLocation, locateBacklog } from "../backlog-location.ts";
import { callerArn } from "../caller.ts";
import { EXIT_CODES } from "../exit-code.ts";
import type { LetterFilter } from "../letters/letter-filter.ts";
import type { Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import { shellQuote } from "../terminal/shell-quote.ts";
import { askForPlan, planJson, toBeTaken } from "./plan.ts";
import { writePlanFile } from "./plan-file.ts";
import { planText } from "./plan-text.ts";
import { commandWords, readSelection, type SelectionOptions } from "./selection.ts";

export type PlanOptions = SelectionOptions & {
  readonly overtaken?: boolean;
  /** File that the plan is written to. */
  readonly out?: string;
};

/** `replay plan [name]`: what a replay would do with each letter. Writes nothing in AWS. */
export async function replayPlan(
  name: string,
  options: PlanOptions,
  session: Session,
): Promise<number> {
  const { clients, terminal, nowMs, json } = session;
  const location = await locateBacklog(clients.ssm, name);
  const filter = readSelection(options, { nowMs, partitions: location.partitions });
  const plan = await askForPlan(session, location, {
    filter,
    overtaken: options.overtaken ?? false,
    requestedBy: await callerArn(clients.sts),
  });
  if (options.out !== undefined) writePlanFile(options.out, plan, filter, location);
  if (json) {
    terminal.write(jsonOf(planJson(plan, filter, location)));
    return EXIT_CODES.ok;
  }
  terminal.write(planText(plan, filter, { terminal, nowMs }));
  terminal.write(`Next: ${nextCommand(plan, filter, options, location)}`);
  return EXIT_CODES.ok;
}

function nextCommand(
  plan: ReplayPlan,
  filter: LetterFilter,
  { out }: PlanOptions,
  { name }: BacklogLocation,
): string {
  if (toBeTaken(plan) === 0 && plan.counts.overtaken > 0) {
    return `npx backlogorder replay plan ${name} ${commandWords(filter)} --overtaken`;
  }
  if (toBeTaken(plan) === 0) return `npx backlogorder letters groups ${name}`;
  const what =
    out === undefined
      ? `${commandWords(filter)}${plan.overtaken ? " --overtaken" : ""}`
      : `--plan ${shellQuote(out)}`;
  return `npx backlogorder replay run ${name} ${what} --why 'what was mended'`;
}
