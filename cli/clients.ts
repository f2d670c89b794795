import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { SSMClient } from "@aws-sdk/client-ssm";
import { CLIENT_OPTIONS } from "../lambdas/aws/client-options.ts";

/** The services that the command reads. */
export type Clients = {
  readonly ssm: SSMClient;
  readonly sqs: SQSClient;
  readonly dynamoDb: DynamoDBClient;
  readonly cloudWatch: CloudWatchClient;
};

/** Clients by the usual credentials chain, region and endpoint variables. */
export function openClients(): Clients {
  return {
    ssm: new SSMClient(CLIENT_OPTIONS),
    sqs: new SQSClient(CLIENT_OPTIONS),
    dynamoDb: new DynamoDBClient(CLIENT_OPTIONS),
    cloudWatch: new CloudWatchClient(CLIENT_OPTIONS),
  };
}
