import { Duration } from "aws-cdk-lib";
import { ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import { type AlarmSubject, commandFor } from "./alarm-subject.ts";
import { BacklogAlarm } from "./backlog-alarm.ts";
import { unseenMinute } from "./backlog-metrics.ts";

/** Warnings about the functions themselves. A failed attempt of a record is no error here: the
 *  consumer answers for it. */
export class FunctionAlarms extends Construct {
  readonly warn: readonly BacklogAlarm[];

  constructor(scope: Construct, id: string, subject: AlarmSubject) {
    super(scope, id);
    const options = { statistic: "Sum", period: Duration.minutes(1) };
    this.warn = [
      this.#snapshotMissing(subject),
      this.#consumer(subject, "Errors", subject.consumer.metricErrors(options)),
      this.#consumer(subject, "Throttles", subject.consumer.metricThrottles(options)),
    ];
  }

  #snapshotMissing({ backlog, source, runbook }: AlarmSubject): BacklogAlarm {
    return new BacklogAlarm(this, "SnapshotMissing", {
      backlog,
      alarm: "snapshot-missing",
      what: `The backlog ${backlog} is not measured, so its other alarms may be blind.`,
      since: "It warns after 5 min without a snapshot.",
      run: commandFor(backlog, "status"),
      runbook,
      metric: unseenMinute(backlog, source),
      operator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      threshold: 1,
      minutes: 5,
      ofMinutes: 5,
      // Silent until SQS reports a new queue. Should it stop to, after hours without anybody looking
      // at the queue, the alarm stays on.
      missing: TreatMissingData.IGNORE,
    });
  }

  #consumer(
    { backlog, runbook }: AlarmSubject,
    kind: "Errors" | "Throttles",
    metric: IMetric,
  ): BacklogAlarm {
    const happens =
      kind === "Errors" ? "fails as a whole" : "is refused by Lambda for lack of room";
    return new BacklogAlarm(this, kind, {
      backlog,
      alarm: kind === "Errors" ? "consumer-errors" : "consumer-throttles",
      what: `The consumer of the backlog ${backlog} ${happens}; its records are received again.`,
      since: "It warns from the first time in 5 min.",
      run: commandFor(backlog, "status"),
      runbook,
      metric,
      operator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      threshold: 1,
      minutes: 1,
      ofMinutes: 5,
      // Lambda reports only minutes with invocations.
      missing: TreatMissingData.NOT_BREACHING,
    });
  }
}
