import { CustomResource, Duration } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { BacklogFunction } from "./backlog-function.ts";

export type DrainGateProps = {
  /** The generation whose records come first. */
  readonly before: string;
  /** Whether this deploy is to go on only if that one is drained. */
  readonly check: boolean;
};

/**
 * Fails a deploy that would turn a later generation on while the one before still holds records or
 * letters. Whatever such a deploy must not change depends on its `check`.
 */
export class DrainGate extends Construct {
  /** Done once that one is found to be drained, or need not be. */
  readonly check: CustomResource;

  constructor(scope: Construct, id: string, { before, check }: DrainGateProps) {
    super(scope, id);
    const gate = new BacklogFunction(this, "Function", {
      file: "drain-gate.ts",
      description: `Lets nothing pass before the backlog ${before} is drained`,
      timeoutSeconds: 60,
      memoryMiB: 256,
      permissions: [
        // CloudWatch knows no resources for reading metrics.
        // https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudwatch.html
        new PolicyStatement({ actions: ["cloudwatch:GetMetricData"], resources: ["*"] }),
      ],
    });
    this.check = new CustomResource(this, "Drained", {
      resourceType: "Custom::BacklogDrained",
      serviceToken: gate.functionArn,
      properties: { After: before, Check: check },
      // Lambda repeats a failed invocation twice, waiting one and two minutes.
      serviceTimeout: Duration.minutes(10),
    });
  }
}
