import { ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import { type AlarmSubject, commandFor } from "./alarm-subject.ts";
import { BacklogAlarm } from "./backlog-alarm.ts";
import { stalledMinute } from "./backlog-metrics.ts";

/** Pages when nothing moves: a consumer that dies at its start leaves no other trace. */
export class StallAlarm extends BacklogAlarm {
  constructor(scope: Construct, id: string, { backlog, policy, source, runbook }: AlarmSubject) {
    const minutes = stallMinutes(policy.pageAgeMs);
    super(scope, id, {
      backlog,
      alarm: "stalled",
      what: `Records wait in the backlog ${backlog} and none leaves it.`,
      since: `It pages once that has lasted ${minutes} min.`,
      run: commandFor(backlog, "status"),
      runbook,
      metric: stalledMinute(source),
      operator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      threshold: 1,
      minutes,
      ofMinutes: minutes,
      // A queue that reports nothing holds nothing, so nothing can be stuck in it.
      missing: TreatMissingData.NOT_BREACHING,
    });
  }
}

/** At least two, as a record published at the end of one minute is deleted in the next; at most the
 *  day that CloudWatch evaluates. */
function stallMinutes(pageAgeMs: number): number {
  return Math.min(1440, Math.max(2, Math.ceil(pageAgeMs / 60_000)));
}
