import type { Backlog } from "../../lambdas/core/backlog.ts";
import type { BacklogLocation } from "../backlog-location.ts";
import type { Interventions } from "../consumer/consumer-state.ts";
import { generationBefore } from "../consumer/generation-before.ts";
import { groupLetters, type LetterGroup } from "../letters/letter-groups.ts";
import type { Letters } from "../letters/read-letters.ts";
import { shellQuote } from "../terminal/shell-quote.ts";
import type { AlarmState } from "./alarm-states.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

/** All that `status` answers, before it is printed. */
export type StatusReport = {
  readonly location: BacklogLocation;
  readonly nowMs: number;
  readonly verdict: Verdict;
  readonly backlog: Backlog;
  readonly letters: Letters;
  readonly groups: readonly LetterGroup[];
  readonly alarms: { readonly page: AlarmState; readonly warn: AlarmState };
  readonly interventions: Interventions;
  /** The command to run next; undefined where there is nothing to do. */
  readonly next: string | undefined;
};

/** Puts the parts of the answer together. Pure. */
export function statusReportOf(
  parts: Pick<
    StatusReport,
    "location" | "nowMs" | "backlog" | "letters" | "alarms" | "interventions"
  >,
): StatusReport {
  const verdict = verdictOf(parts.backlog, parts.location);
  return {
    ...parts,
    verdict,
    groups: groupLetters(parts.letters.listed),
    next: nextCommand(parts, verdict),
  };
}

/** First what keeps records back on purpose, then by failing, then what was set aside. */
function nextCommand(
  {
    location,
    backlog,
    alarms,
    interventions: { consumer },
  }: Pick<StatusReport, "location" | "backlog" | "alarms" | "interventions">,
  { level }: Verdict,
): string | undefined {
  if (consumer.feeding === "off") return switchOnCommand(location, consumer);
  if (level !== "ok")
    return backlog.blocked.length > 0 ? logCommand(location) : mappingCommand(location);
  if (backlog.letters > 0) return `npx backlogorder letters groups ${location.name}`;
  if (backlog.blocked.length > 0) return logCommand(location);
  return alarms.page.state === "alarm" ? mappingCommand(location) : undefined;
}

/** To resume a generation that waits for the one before would put its records in front of those. */
function switchOnCommand({ name }: BacklogLocation, { pause }: Interventions["consumer"]): string {
  const before = pause === undefined ? generationBefore(name) : undefined;
  return before === undefined
    ? `npx backlogorder resume ${name} --why '...'`
    : `npx backlogorder status ${before}`;
}

/** Why the handler fails. The log group's name is CloudFormation's own, so Lambda is asked for it. */
function logCommand({ consumer }: BacklogLocation): string {
  const group = `aws lambda get-function-configuration --function-name ${shellQuote(consumer)} --query LoggingConfig.LogGroup --output text`;
  return `aws logs tail "$(${group})" --since 15m --filter-pattern '{ $.level = "ERROR" || $.level = "WARN" }'`;
}

/** Records wait and none fails: whether the consumer is fed at all. */
function mappingCommand({ mapping }: BacklogLocation): string {
  return `aws lambda get-event-source-mapping --uuid ${shellQuote(mapping)} --query '[State,StateTransitionReason,LastProcessingResult]'`;
}
