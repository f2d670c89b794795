import { parse } from "node:path";
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import type { ISecurityGroup, IVpc } from "aws-cdk-lib/aws-ec2";
import { type IRole, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  type FunctionProps,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { functionCode } from "./function-bundle.ts";

export type Network = {
  readonly vpc: IVpc;
  /** @default - a security group of the function's own */
  readonly securityGroups?: readonly ISecurityGroup[];
};

export type BacklogFunctionProps = {
  /** File below `lambdas/` that exports `handler`. */
  readonly file: string;
  readonly description: string;
  readonly timeoutSeconds: number;
  readonly memoryMiB: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** What the function may do beside writing its log and traces. */
  readonly permissions: readonly PolicyStatement[];
  /** Files that stand in for imports of the bundle, by import.
   *  @default - every import is taken as written */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Times that Lambda itself repeats an asynchronous invocation that failed.
   *  @default 2 */
  readonly retryAttempts?: number;
  /** Seconds after which Lambda drops an asynchronous invocation that it found no room for, from 60 up.
   *  @default 21600 */
  readonly eventAgeSecondsMax?: number;
  /** @default - outside of any VPC */
  readonly network?: Network | undefined;
};

/** A function of the backlog, bundled with the SDK that it was tested with. Its role holds what
 *  `permissions` names and no managed policy. */
export class BacklogFunction extends LambdaFunction {
  /** File below `lambdas/` that it runs. */
  readonly file: string;

  constructor(scope: Construct, id: string, props: BacklogFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Log`, {
      retention: RetentionDays.THREE_MONTHS,
      // Replays are on record here: who, why, and what came of it.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      description: props.description,
    });
    logGroup.grantWrite(role);
    for (const statement of props.permissions) role.addToPolicy(statement);
    super(scope, id, {
      code: functionCode(parse(props.file).name, props.aliases),
      handler: "index.handler",
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: Duration.seconds(props.timeoutSeconds),
      memorySize: props.memoryMiB,
      environment: { ...props.environment },
      tracing: Tracing.ACTIVE,
      role,
      logGroup,
      ...invokeProps(props),
      ...networkProps(role, props.network),
    });
    this.file = props.file;
  }
}

function invokeProps({
  retryAttempts,
  eventAgeSecondsMax,
}: BacklogFunctionProps): Pick<FunctionProps, "retryAttempts" | "maxEventAge"> {
  return {
    ...(retryAttempts === undefined ? {} : { retryAttempts }),
    ...(eventAgeSecondsMax === undefined
      ? {}
      : { maxEventAge: Duration.seconds(eventAgeSecondsMax) }),
  };
}

function networkProps(
  role: IRole,
  network: Network | undefined,
): { vpc?: IVpc; securityGroups?: ISecurityGroup[] } {
  if (network === undefined) return {};
  role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: [
        "ec2:CreateNetworkInterface",
        "ec2:DescribeNetworkInterfaces",
        "ec2:DescribeSubnets",
        "ec2:DeleteNetworkInterface",
        "ec2:AssignPrivateIpAddresses",
        "ec2:UnassignPrivateIpAddresses",
      ],
      // Lambda creates the interfaces: their names are not known, and Describe knows no resource.
      // https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-permissions
      resources: ["*"],
    }),
  );
  const { vpc, securityGroups } = network;
  return securityGroups === undefined ? { vpc } : { vpc, securityGroups: [...securityGroups] };
}
