import { Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";
import type { OrderedBacklog } from "./ordered-backlog.ts";

/** A finding of cdk-nag that stays as it is, and why. */
export type Acknowledgement = {
  /** As cdk-nag prints it after "Acknowledge with". */
  readonly rule: string;
  readonly reason: string;
  /** Constructs below the backlog that it is for; one elsewhere is found all the same. */
  readonly paths: readonly string[];
  /** True = of a part that may be left out. */
  readonly optional?: true;
};

/** All that cdk-nag's AwsSolutions and Serverless packs find in a backlog. */
export const ACKNOWLEDGEMENTS: readonly Acknowledgement[] = [
  {
    rule: "AwsSolutions::AwsSolutions-IAM5[Resource::*]",
    reason: "X-Ray knows no resources for writing traces, nor EC2 for a function's interfaces.",
    paths: [
      "ConsumerRole/DefaultPolicy",
      "ReplayRole/DefaultPolicy",
      "PayloadRole/DefaultPolicy",
      "Lock/FunctionRole/DefaultPolicy",
    ],
  },
  {
    rule: "AwsSolutions::AwsSolutions-IAM5[Resource::*]",
    reason: "X-Ray knows no resources for writing traces, nor CloudWatch for reading metrics.",
    paths: ["SnapshotRole/DefaultPolicy"],
  },
  {
    rule: "AwsSolutions::AwsSolutions-IAM5[Resource::*]",
    reason: "CloudWatch knows no resources for reading metrics, nor for composite alarms.",
    paths: ["Operators/Viewer", "Operators/Operator", "Operators/Admin"],
  },
  {
    rule: "Serverless::Serverless-SQSRedrivePolicy",
    reason: "It is the dead-letter queue: what cannot be handled ends here, for an operator.",
    paths: ["Queues/Letters"],
  },
  {
    rule: "Serverless::Serverless-LambdaEventSourceMappingDestination",
    reason: "Lambda has none for SQS: the source queue's redrive policy takes that place.",
    paths: ["Consumer/Mapping"],
  },
  {
    rule: "Serverless::Serverless-LambdaDLQ",
    reason: "Called by the event source mapping, which never uses a function's own queue.",
    paths: ["Consumer"],
  },
  {
    rule: "Serverless::Serverless-LambdaDLQ",
    reason:
      "An operator waits for its answer; the letters of a failed run are still in their queue.",
    paths: ["Replay", "Payload"],
  },
  {
    rule: "Serverless::Serverless-LambdaAsyncFailureDestination",
    reason: "An operator waits for its answer, and each run that fails is on record in its log.",
    paths: ["Replay/EventInvokeConfig", "Payload/EventInvokeConfig"],
  },
  {
    rule: "Serverless::Serverless-LambdaDLQ",
    reason: "A lost event is only a minute's call; an alarm tells of snapshots that stay away.",
    paths: ["Snapshot"],
  },
  {
    rule: "Serverless::Serverless-LambdaAsyncFailureDestination",
    reason: "The next call comes within a minute; an alarm tells of snapshots that stay away.",
    paths: ["Snapshot/EventInvokeConfig"],
  },
  {
    rule: "Serverless::Serverless-EventBusDLQ",
    reason: "The next call comes within a minute; an alarm tells of snapshots that stay away.",
    paths: ["Snapshot/EveryMinute"],
  },
  {
    rule: "Serverless::Serverless-LambdaDLQ",
    reason: "CloudFormation waits for its answer and fails the deploy when none comes.",
    paths: ["Lock/Function"],
  },
  {
    rule: "AwsSolutions::AwsSolutions-IAM5[Resource::*]",
    reason: "X-Ray knows no resources for writing traces.",
    paths: ["Dashboard/WidgetRole/DefaultPolicy"],
    optional: true,
  },
  {
    rule: "AwsSolutions::AwsSolutions-IAM5[Resource::*]",
    reason: "X-Ray knows no resources for writing traces, nor CloudWatch for reading metrics.",
    paths: ["DrainGate/FunctionRole/DefaultPolicy"],
    optional: true,
  },
  {
    rule: "Serverless::Serverless-LambdaDLQ",
    reason: "CloudFormation waits for its answer and fails the deploy when none comes.",
    paths: ["DrainGate/Function"],
    optional: true,
  },
  {
    rule: "Serverless::Serverless-LambdaDLQ",
    reason: "Whoever looks at the dashboard waits for its answer.",
    paths: ["Dashboard/Widget"],
    optional: true,
  },
  {
    rule: "Serverless::Serverless-SNSRedrivePolicy",
    reason: "SNS repeats a mail for hours; nobody reads a queue of alarms that did not arrive.",
    paths: ["Topics"],
  },
];

/**
 * Tells cdk-nag which of its findings in a backlog stay, for apps that check themselves with it. A
 * `*` among the resources of the game's own policies is then no longer found either: it stands in
 * the same policy of the consumer as the one for X-Ray.
 * @throws where a construct that an acknowledgement names is gone.
 */
export function acknowledgeFindings(backlog: OrderedBacklog): void {
  for (const { rule, reason, paths, optional } of ACKNOWLEDGEMENTS) {
    for (const path of paths) {
      if (optional && !isThere(backlog, path)) continue;
      Validations.of(constructAt(backlog, path)).acknowledge({ id: rule, reason });
    }
  }
}

function isThere(backlog: OrderedBacklog, path: string): boolean {
  const [part = ""] = path.split("/");
  return backlog.node.tryFindChild(part) !== undefined;
}

function constructAt(backlog: OrderedBacklog, path: string): IConstruct {
  return path
    .split("/")
    .reduce((found: IConstruct, id) => found.node.findChild(id), backlog as IConstruct);
}
