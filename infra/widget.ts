import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { BacklogFunction } from "./backlog-function.ts";
import { type BacklogParts, environmentOf } from "./backlog-parts.ts";

export type WidgetProps = BacklogParts & {
  /** ARN of the function that the widget's buttons call, with the rights of who clicks. */
  readonly replayArn: string;
};

/** The function behind the dashboard's widget: it reads and can do nothing else. */
export class Widget extends BacklogFunction {
  constructor(scope: Construct, id: string, props: WidgetProps) {
    const { settings, queues, ledger, replayArn } = props;
    super(scope, id, {
      file: "widget.ts",
      description: `Shows who is blocked in the backlog ${settings.name}, on its dashboard`,
      timeoutSeconds: 30,
      memoryMiB: 256,
      environment: { ...environmentOf(props), REPLAY_FUNCTION_ARN: replayArn },
      permissions: [
        new PolicyStatement({
          actions: ["sqs:GetQueueAttributes"],
          resources: [queues.letters.queueArn],
        }),
        new PolicyStatement({
          // Which letters are discarded, and of no concern to a replay.
          actions: ["dynamodb:BatchGetItem", "dynamodb:Query"],
          resources: [ledger.tableArn],
        }),
        new PolicyStatement({ actions: ["dynamodb:Scan"], resources: [ledger.openIndexArn] }),
      ],
    });
  }
}
