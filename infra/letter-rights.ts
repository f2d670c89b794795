import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { BacklogParts } from "./backlog-parts.ts";

/** What a function needs that looks through the dead letters and acts on them, beside their index. */
export function letterRights({
  queues,
  ledger,
}: Pick<BacklogParts, "queues" | "ledger">): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: [
        "sqs:ReceiveMessage",
        "sqs:DeleteMessage",
        "sqs:ChangeMessageVisibility",
        "sqs:GetQueueAttributes",
        // An edited letter is another message, and one that SQS moved is renewed into a group of its own.
        "sqs:SendMessage",
      ],
      resources: [queues.letters.queueArn],
    }),
    new PolicyStatement({
      actions: ["dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:UpdateItem"],
      resources: [ledger.tableArn],
    }),
  ];
}
