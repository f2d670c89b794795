import { Stack } from "aws-cdk-lib";
import { ManagedPolicy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { BacklogDashboard } from "./backlog-dashboard.ts";
import type { BacklogParts } from "./backlog-parts.ts";
import type { Consumer } from "./consumer.ts";
import type { Parameters } from "./parameters.ts";
import type { Payload } from "./payload.ts";
import type { Replay } from "./replay.ts";

export type OperatorPoliciesProps = BacklogParts & {
  readonly consumer: Consumer;
  readonly replay: Replay;
  readonly payload: Payload;
  readonly parameters: Parameters;
  /** Undefined = there is none. */
  readonly dashboard: BacklogDashboard | undefined;
};

/**
 * Three managed policies for people, each with the rights of the one before it: one is enough for
 * each person. None of them reads a message, writes to the ledger or touches a queue: the functions
 * do that, and keep a record of it.
 */
export class OperatorPolicies extends Construct {
  /** Looks: status, letters, traces, acts. */
  readonly viewer: ManagedPolicy;
  /** And acts on letters as a whole: replays, discards, renews, pauses. */
  readonly operator: ManagedPolicy;
  /** And sees, edits and purges payloads. */
  readonly admin: ManagedPolicy;

  constructor(scope: Construct, id: string, props: OperatorPoliciesProps) {
    super(scope, id);
    const { settings, replay, payload } = props;
    const looks = (): PolicyStatement[] => viewing(props);
    const acts = new PolicyStatement({
      actions: ["lambda:InvokeFunction"],
      resources: [replay.functionArn],
    });
    const opens = new PolicyStatement({
      actions: ["lambda:InvokeFunction"],
      resources: [payload.functionArn],
    });
    this.viewer = new ManagedPolicy(this, "Viewer", {
      description: `Look at the backlog ${settings.name}`,
      statements: looks(),
    });
    this.operator = new ManagedPolicy(this, "Operator", {
      description: `Look at the backlog ${settings.name}, replay and discard letters, pause it`,
      statements: [...looks(), acts],
    });
    this.admin = new ManagedPolicy(this, "Admin", {
      description: `All of an operator of the backlog ${settings.name}, and payloads`,
      statements: [...looks(), acts.copy(), opens],
    });
  }
}

function viewing({
  queues,
  ledger,
  consumer,
  parameters,
  dashboard,
}: OperatorPoliciesProps): PolicyStatement[] {
  const stack = Stack.of(consumer);
  return [
    new PolicyStatement({
      actions: ["ssm:GetParameter"],
      resources: [parameters.operations.parameterArn],
    }),
    new PolicyStatement({
      // To name the backlogs that exist where one is not found.
      actions: ["ssm:GetParametersByPath"],
      resources: [stack.formatArn({ service: "ssm", resource: "parameter/backlogorder" })],
    }),
    new PolicyStatement({
      actions: ["sqs:GetQueueAttributes"],
      resources: [queues.source.queueArn, queues.letters.queueArn],
    }),
    new PolicyStatement({
      actions: ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"],
      resources: [ledger.tableArn],
    }),
    new PolicyStatement({
      actions: ["dynamodb:Query", "dynamodb:Scan"],
      resources: [ledger.openIndexArn],
    }),
    new PolicyStatement({
      actions: ["lambda:GetEventSourceMapping"],
      resources: [consumer.mapping.eventSourceMappingArn],
    }),
    // CloudWatch knows no resources for reading metrics, nor for composite alarms.
    // https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudwatch.html
    new PolicyStatement({
      actions: ["cloudwatch:GetMetricData", "cloudwatch:DescribeAlarms"],
      resources: ["*"],
    }),
    ...(dashboard === undefined ? [] : watching(dashboard)),
  ];
}

/** CloudWatch's console calls the widget with the rights of who looks at it. */
function watching({ dashboardArn, widget }: BacklogDashboard): readonly PolicyStatement[] {
  return [
    new PolicyStatement({ actions: ["cloudwatch:GetDashboard"], resources: [dashboardArn] }),
    new PolicyStatement({
      actions: ["lambda:InvokeFunction"],
      resources: [widget.functionArn],
    }),
  ];
}
