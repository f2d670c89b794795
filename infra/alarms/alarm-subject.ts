import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { AlertPolicy } from "../../lambdas/core/alert-policy.ts";

/** What the alarms of one backlog watch, and by which policy. */
export type AlarmSubject = {
  /** The backlog's name. */
  readonly backlog: string;
  readonly policy: AlertPolicy;
  readonly source: IQueue;
  readonly letters: IQueue;
  readonly consumer: IFunction;
  /** Longest time between two tries of one record. */
  readonly visibilityTimeoutSeconds: number;
  readonly letterRetentionSeconds: number;
  /** Address or path of the runbook that alarms link to. */
  readonly runbook: string;
};

/** The operators' command, as an alarm's text quotes it. */
export function commandFor(backlog: string, command: string): string {
  return `\`npx backlogorder ${command} ${backlog}\`.`;
}
