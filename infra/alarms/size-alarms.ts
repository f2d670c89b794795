import { ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import { type AlarmSubject, commandFor } from "./alarm-subject.ts";
import { readableSeconds } from "./alarm-text.ts";
import { BacklogAlarm } from "./backlog-alarm.ts";
import { oldestAge, recordCount } from "./backlog-metrics.ts";

/**
 * The alert policy as alarms: a threshold of 0 or less is off and gives none. Which of them decides
 * is `evaluate`'s order: page by age, warn by age, warn by count.
 */
export class SizeAlarms extends Construct {
  /** At most one. */
  readonly page: readonly BacklogAlarm[];
  /** At most two. */
  readonly warn: readonly BacklogAlarm[];

  constructor(scope: Construct, id: string, subject: AlarmSubject) {
    super(scope, id);
    const { pageAgeMs, warnAgeMs, maxCount } = subject.policy;
    this.page = pageAgeMs > 0 ? [this.#age(subject, "page", pageAgeMs)] : [];
    this.warn = [
      ...(warnAgeMs > 0 ? [this.#age(subject, "warn", warnAgeMs)] : []),
      ...(maxCount > 0 ? [this.#count(subject, maxCount)] : []),
    ];
  }

  #age(subject: AlarmSubject, level: "page" | "warn", thresholdMs: number): BacklogAlarm {
    const { backlog, source, runbook, visibilityTimeoutSeconds } = subject;
    const thresholdSeconds = thresholdMs / 1000;
    return new BacklogAlarm(this, level === "page" ? "PageAge" : "WarnAge", {
      backlog,
      alarm: `${level}-age`,
      what: `The oldest record of the backlog ${backlog} waits too long.`,
      since: `It ${level}s once a record is ${readableSeconds(thresholdSeconds)} old.`,
      run: commandFor(backlog, "status"),
      runbook,
      metric: oldestAge(backlog, source),
      operator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      threshold: thresholdSeconds,
      minutes: 1,
      ofMinutes: longestGapMinutes(visibilityTimeoutSeconds),
      // An empty queue has no age: nothing reported is nothing old.
      missing: TreatMissingData.NOT_BREACHING,
    });
  }

  #count(subject: AlarmSubject, maxCount: number): BacklogAlarm {
    const { backlog, source, runbook } = subject;
    return new BacklogAlarm(this, "WarnCount", {
      backlog,
      alarm: "warn-count",
      what: `Many records wait in the backlog ${backlog}.`,
      since: `It warns from ${maxCount} records.`,
      run: commandFor(backlog, "status"),
      runbook,
      metric: recordCount(backlog, source),
      operator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      threshold: maxCount,
      minutes: 1,
      // The newest minute may be filled with 0 before SQS has reported it; that clears nothing.
      ofMinutes: 3,
      // A queue that reports nothing holds nothing.
      missing: TreatMissingData.NOT_BREACHING,
    });
  }
}

/** A record that failed may be out of sight until its visibility timeout has run out. One more
 *  minute, so that the sight before and the one after are both in the window. CloudWatch evaluates
 *  at most a day, and the longest visibility timeout is half of one. */
function longestGapMinutes(visibilityTimeoutSeconds: number): number {
  return Math.ceil(visibilityTimeoutSeconds / 60) + 1;
}
