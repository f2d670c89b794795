import { ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import { type AlarmSubject, commandFor } from "./alarm-subject.ts";
import { readableSeconds } from "./alarm-text.ts";
import { BacklogAlarm } from "./backlog-alarm.ts";
import { letterCount, snapshotMetric } from "./backlog-metrics.ts";

/** Dead letters warn as soon as there is one, and page before SQS deletes the first. There is no
 *  alarm on their age: letters only grow older, so it would never clear. */
export class LetterAlarms extends Construct {
  readonly warn: readonly BacklogAlarm[];
  readonly page: readonly BacklogAlarm[];

  constructor(scope: Construct, id: string, subject: AlarmSubject) {
    super(scope, id);
    this.warn = [this.#present(subject)];
    this.page = [this.#expiry(subject)];
  }

  #present({ backlog, letters, runbook }: AlarmSubject): BacklogAlarm {
    return new BacklogAlarm(this, "Letters", {
      backlog,
      alarm: "letters",
      what: `Dead letters of the backlog ${backlog} wait for someone to replay them.`,
      since: "It warns from the first letter.",
      run: commandFor(backlog, "letters list"),
      runbook,
      metric: letterCount(backlog, letters),
      operator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      threshold: 1,
      minutes: 1,
      // The newest minute may not be reported yet; that clears nothing.
      ofMinutes: 3,
      // A queue that reports nothing holds no letters.
      missing: TreatMissingData.NOT_BREACHING,
    });
  }

  #expiry({ backlog, letterRetentionSeconds, runbook }: AlarmSubject): BacklogAlarm {
    const leftSeconds = pageBeforeExpirySeconds(letterRetentionSeconds);
    return new BacklogAlarm(this, "Expiry", {
      backlog,
      alarm: "letter-expiry",
      what: `SQS will soon delete a dead letter of the backlog ${backlog} for good.`,
      since: `It pages once the first has ${readableSeconds(leftSeconds)} left.`,
      run: commandFor(backlog, "letters list"),
      runbook,
      metric: snapshotMetric(backlog, "nearestExpiry", "Minimum"),
      operator: ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
      threshold: leftSeconds,
      minutes: 1,
      ofMinutes: 3,
      // The snapshot reports a whole retention while there are no letters. Nothing reported is nothing
      // known: it neither raises nor clears.
      missing: TreatMissingData.IGNORE,
    });
  }
}

const FOUR_DAYS = 4 * 86_400;

/** Seconds that the first letter has left when it pages. Four days cover a long weekend. With a retention not much longer than that, half of it: else a
 *  letter would page as soon as it is there. */
export function pageBeforeExpirySeconds(letterRetentionSeconds: number): number {
  return Math.min(FOUR_DAYS, Math.floor(letterRetentionSeconds / 2));
}
