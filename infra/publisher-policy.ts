import { type IGrantable, ManagedPolicy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { IStringParameter } from "aws-cdk-lib/aws-ssm";
import type { Construct } from "constructs";

export type PublisherPolicyProps = {
  readonly backlog: string;
  readonly source: IQueue;
  /** The parameter that tells publishers where to send and into how many partitions. */
  readonly parameter: IStringParameter;
};

/** All that a publisher may do: send to the source queue, and read where that is. */
export class PublisherPolicy extends ManagedPolicy {
  readonly #props: PublisherPolicyProps;

  constructor(scope: Construct, id: string, props: PublisherPolicyProps) {
    super(scope, id, {
      description: `Publish to the backlog ${props.backlog}`,
      statements: statements(props),
    });
    this.#props = props;
  }

  /** Gives the same rights to one principal. */
  grant(grantee: IGrantable): void {
    for (const statement of statements(this.#props)) {
      grantee.grantPrincipal.addToPrincipalPolicy(statement);
    }
  }
}

function statements({ source, parameter }: PublisherPolicyProps): PolicyStatement[] {
  return [
    new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [source.queueArn] }),
    new PolicyStatement({ actions: ["ssm:GetParameter"], resources: [parameter.parameterArn] }),
  ];
}
