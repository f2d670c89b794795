import type { ISecurityGroup, IVpc } from "aws-cdk-lib/aws-ec2";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";

/** A table of the game: any `Table` or `TableV2`, or one that the app only knows by name. */
export type GameTable = {
  readonly tableArn: string;
  readonly encryptionKey?: IKey | undefined;
};

/** The game's own code and what it needs. Only the consumer gets any of it. */
export type GameHandler = {
  /** File that exports `handle`, absolute or relative to the folder in which the app runs. */
  readonly entry: string;
  /**
   * Variables of the game's own. `BACKLOG_...` is taken.
   * @default - none
   */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Tables that the handler, or the effects that it returns, read and write. Their indexes are not
   * included: grant those by `policies`.
   * @default - none
   */
  readonly tables?: readonly GameTable[];
  /**
   * Further rights of the handler.
   * @default - none
   */
  readonly policies?: readonly PolicyStatement[];
  /**
   * Network in which the consumer runs. It needs a way to SQS and DynamoDB there.
   * @default - outside of any VPC
   */
  readonly vpc?: IVpc;
  /**
   * Taken with `vpc` only.
   * @default - a security group of the consumer's own
   */
  readonly securityGroups?: readonly ISecurityGroup[];
};

/** Rights of the game's handler: items of its tables, and what it asks for itself. */
export function gamePermissions({
  tables = [],
  policies = [],
}: GameHandler): readonly PolicyStatement[] {
  const resources = tables.map(({ tableArn }) => tableArn);
  if (resources.length === 0) return policies;
  return [new PolicyStatement({ actions: ITEM_ACTIONS, resources }), ...policies];
}

/**
 * The game's environment.
 * @throws RangeError for a variable that the backlog keeps for itself.
 */
export function gameEnvironment({ environment = {} }: GameHandler): Record<string, string> {
  const taken = Object.keys(environment).filter((variable) => variable.startsWith("BACKLOG_"));
  if (taken.length > 0) {
    throw new RangeError(
      `Expected the handler's environment to leave variables that begin with BACKLOG_ to the backlog, got \`${taken.join("`, `")}\`. Rename them`,
    );
  }
  return { ...environment };
}

const ITEM_ACTIONS = [
  "dynamodb:GetItem",
  "dynamodb:BatchGetItem",
  "dynamodb:Query",
  "dynamodb:PutItem",
  "dynamodb:UpdateItem",
  "dynamodb:DeleteItem",
  "dynamodb:ConditionCheckItem",
];
