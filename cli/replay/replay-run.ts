import type { Left } from "../../lambdas/core/replay/replay-result.ts";
import { locateBacklog } from "../backlog-location.ts";
import { callerArn } from "../caller.ts";
import { RefusedError } from "../refused-error.ts";
import type { Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import type { Interaction } from "./interaction.ts";
import { toBeTaken } from "./plan.ts";
import type { Run, RunPlan } from "./run.ts";
import { callUntilDone } from "./run-calls.ts";
import { refuseUnready } from "./run-guard.ts";
import { runJson } from "./run-json.ts";
import { runNext } from "./run-next.ts";
import type { RunOptions } from "./run-options.ts";
import { keptPlan, newPlan } from "./run-plan.ts";
import { exitCodeOf, type RunReport, reportOf } from "./run-report.ts";
import { callOf } from "./run-request.ts";
import { emptyText, runText } from "./run-text.ts";
import { readSelection } from "./selection.ts";
import { watchRun } from "./watch-run.ts";

/**
 * `replay run [name]`: sends dead letters back, and ends with what exactly happened.
 * @throws RefusedError where nothing was sent: the plan does not hold any more, the backlog is at
 *   page, another run is under way, or nobody agreed.
 */
export async function replayRun(
  name: string,
  options: RunOptions,
  session: Session,
  interaction: Interaction,
): Promise<number> {
  const { clients, nowMs } = session;
  assertAskable(options, interaction);
  const location = await locateBacklog(clients.ssm, name);
  const kept = options.plan === undefined ? undefined : keptPlan(options.plan, options, location);
  const { partitions } = location;
  const filter = kept?.filter ?? readSelection(options, { nowMs, partitions });
  if (!options.force) await refuseUnready(session, location);
  const requestedBy = await callerArn(clients.sts);
  const plan = kept ?? (await newPlan(filter, options, requestedBy, session, location));
  const run: Run = { plan, options, requestedBy, location, session };
  if (isEmpty(plan)) return tell(run, reportOf(NO_CALLS, 0, leftBy(plan)));
  await assertAgreed(plan, options, interaction);
  return tell(run, await runReport(run, interaction));
}

const NO_CALLS = { results: [], stopped: undefined, error: undefined };

/** Letters that a run of this plan leaves where they are. */
function leftBy({ counts: { overtaken, held, cannotRun, expired }, ...plan }: RunPlan): Left {
  return { overtaken: plan.overtaken ? 0 : overtaken, held, cannotRun, expired };
}

function assertAskable({ plan, yes }: RunOptions, { present }: Interaction): void {
  if (present || yes || plan !== undefined) return;
  throw new RefusedError({
    code: "not-confirmed",
    message: "Without a terminal nobody can read the plan and agree",
    remedy: "give a plan that was read (`--plan FILE`), or say `--yes`",
  });
}

/** Letters that the ledger does not list are found by a run only. */
function isEmpty(plan: RunPlan): boolean {
  return toBeTaken(plan) === 0 && (plan.notListed ?? 0) === 0;
}

async function assertAgreed(
  plan: RunPlan,
  options: RunOptions,
  { present, confirm }: Interaction,
): Promise<void> {
  if (!present || options.yes || options.plan !== undefined) return;
  const count = toBeTaken(plan);
  if (await confirm(`Replay ${count} ${count === 1 ? "letter" : "letters"}?`)) return;
  throw new RefusedError({
    code: "not-confirmed",
    message: "The answer was not yes, so nothing was sent",
    remedy: "narrow the filter, or keep the plan (`replay plan --out FILE`) for later",
  });
}

async function runReport(run: Run, interaction: Interaction): Promise<RunReport> {
  const { plan, options } = run;
  const planned = toBeTaken(plan);
  const calls = await watchRun({ run, planned, interaction }, (watch) =>
    callUntilDone(callOf(run), {
      limit: plan.filter.limit,
      stopAfterFailures: options.stopAfterFailures,
      ...watch,
    }),
  );
  return reportOf(calls, planned);
}

function tell(run: Run, report: RunReport): number {
  const { terminal, json } = run.session;
  const next = runNext(report, run.plan, run.location);
  if (json) {
    terminal.write(jsonOf(runJson(run, report, next)));
  } else {
    const text = report.runIds.length === 0 ? emptyText(report) : runText(report, terminal);
    terminal.write(`${text}\nNext: ${next}`);
  }
  return exitCodeOf(report);
}
