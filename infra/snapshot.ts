import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { BacklogFunction } from "./backlog-function.ts";
import { type BacklogParts, environmentOf } from "./backlog-parts.ts";

/** The function that measures the backlog once a minute, which the alarms need. */
export class Snapshot extends BacklogFunction {
  constructor(scope: Construct, id: string, parts: BacklogParts) {
    super(scope, id, {
      file: "snapshot.ts",
      description: `Measures the backlog ${parts.settings.name} every minute`,
      // Below a minute, so that one ends before the next begins.
      timeoutSeconds: 50,
      memoryMiB: 256,
      environment: environmentOf(parts),
      permissions: permissions(parts),
      // The next one comes within a minute. Those that waited for room would all measure the same.
      retryAttempts: 0,
      eventAgeSecondsMax: 60,
    });
    new Rule(this, "EveryMinute", {
      description: `Measures the backlog ${parts.settings.name}`,
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(this, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
  }
}

function permissions({ queues, ledger }: BacklogParts): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: ["sqs:GetQueueAttributes"],
      resources: [queues.source.queueArn, queues.letters.queueArn],
    }),
    new PolicyStatement({
      // Which letters are discarded, and need not be counted.
      actions: ["dynamodb:BatchGetItem", "dynamodb:Query"],
      resources: [ledger.tableArn],
    }),
    new PolicyStatement({ actions: ["dynamodb:Scan"], resources: [ledger.openIndexArn] }),
    // CloudWatch knows no resources for reading metrics.
    // https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudwatch.html
    new PolicyStatement({ actions: ["cloudwatch:GetMetricData"], resources: ["*"] }),
  ];
}
