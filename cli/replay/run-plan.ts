import type { BacklogLocation } from "../backlog-location.ts";
import { RefusedError } from "../refused-error.ts";
import type { Session } from "../session.ts";
import { askForPlan } from "./plan.ts";
import { type KeptPlan, readPlanFile } from "./plan-file.ts";
import { planText } from "./plan-text.ts";
import type { RunPlan } from "./run.ts";
import type { RunOptions } from "./run-options.ts";

/**
 * The plan of `--plan`.
 * @throws RefusedError where it is another stack's, or the command line asks for more than it holds.
 */
export function keptPlan(path: string, options: RunOptions, location: BacklogLocation): KeptPlan {
  const plan = readPlanFile(path, location);
  const { partition, key, id, reason, group, since, until, limit, all } = options;
  const given = [partition, key, id, reason, group, since, until, limit, all];
  if (given.some((option) => option !== undefined)) {
    throw new RefusedError({
      code: "plan-and-filter",
      message: "Expected a plan or a filter, got both; the plan has its own filter",
      remedy: "leave the filter out, or make a plan with it",
    });
  }
  if (options.overtaken && !plan.overtaken) {
    throw new RefusedError({
      code: "plan-without-overtaken",
      message: "The plan leaves overtaken letters where they are, but `--overtaken` was said",
      remedy: "make the plan again with `--overtaken`, read it, and run that one",
    });
  }
  return plan;
}

/** Makes a plan and shows it on the error stream, the output being kept for what happened. */
export async function newPlan(
  filter: KeptPlan["filter"],
  { overtaken = false }: RunOptions,
  requestedBy: string,
  session: Session,
  location: BacklogLocation,
): Promise<RunPlan> {
  const plan = await askForPlan(session, location, { filter, overtaken, requestedBy });
  const { errors: terminal, nowMs } = session;
  terminal.write(planText(plan, filter, { terminal, nowMs }));
  return { ...plan, filter };
}
