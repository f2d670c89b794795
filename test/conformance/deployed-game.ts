import { CloudFormationClient, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { type Publisher, publisherFor } from "../../lambdas/aws/publisher/publisher.ts";
import { ACCESS } from "./access.ts";
import type { Deployment } from "./deployment.ts";

/** What the path of records is watched by: the deployed stack, seen by SDK clients. */
export type DeployedGame = {
  readonly sqs: SQSClient;
  readonly dynamo: DynamoDBClient;
  readonly lambda: LambdaClient;
  readonly ledgerTable: string;
  readonly walletTable: string;
  readonly sourceUrl: string;
  readonly letterQueueUrl: string;
  readonly replayFunction: string;
  readonly publisher: Publisher;
};

/** Finds what was deployed by the stack's outputs, its resources and its parameter. */
export async function deployedGame(
  endpoint: string,
  { name, stack, outputs }: Deployment,
): Promise<DeployedGame> {
  const options = { endpoint, ...ACCESS };
  const sqs = new SQSClient(options);
  const Name = `/backlogorder/${name}`;
  const { Parameter } = await new SSMClient(options).send(new GetParameterCommand({ Name }));
  return {
    sqs,
    dynamo: new DynamoDBClient(options),
    lambda: new LambdaClient({ ...options, maxAttempts: 1 }),
    walletTable: await walletTableOf(new CloudFormationClient(options), stack),
    ledgerTable: outputs["LedgerTableName"] ?? "",
    sourceUrl: outputs["SourceQueueUrl"] ?? "",
    letterQueueUrl: outputs["LetterQueueUrl"] ?? "",
    replayFunction: outputs["ReplayFunctionName"] ?? "",
    publisher: publisherFor(Parameter?.Value ?? "", sqs),
  };
}

async function walletTableOf(client: CloudFormationClient, StackName: string): Promise<string> {
  const pages = paginateListStackResources({ client }, { StackName });
  for await (const { StackResourceSummaries = [] } of pages) {
    const found = StackResourceSummaries.find(({ LogicalResourceId = "" }) =>
      LogicalResourceId.startsWith("WalletTable"),
    );
    if (found?.PhysicalResourceId !== undefined) return found.PhysicalResourceId;
  }
  throw new Error(`Expected the stack ${StackName} to have the wallet's table, found none`);
}
