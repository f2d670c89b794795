import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import { SSMClient } from "@aws-sdk/client-ssm";
import { STSClient } from "@aws-sdk/client-sts";
import { CLIENT_OPTIONS } from "../lambdas/aws/client-options.ts";

/** The services that the command speaks to. */
export type Clients = {
  readonly ssm: SSMClient;
  readonly sqs: SQSClient;
  readonly dynamoDb: DynamoDBClient;
  readonly cloudWatch: CloudWatchClient;
  /** Sends each request once and waits for the answer as long as a function may run. */
  readonly lambda: LambdaClient;
  readonly sts: STSClient;
};

/** Clients by the usual credentials chain, region and endpoint variables. */
export function openClients(): Clients {
  return {
    ssm: new SSMClient(CLIENT_OPTIONS),
    sqs: new SQSClient(CLIENT_OPTIONS),
    dynamoDb: new DynamoDBClient(CLIENT_OPTIONS),
    cloudWatch: new CloudWatchClient(CLIENT_OPTIONS),
    lambda: new LambdaClient(INVOKING_OPTIONS),
    sts: new STSClient(CLIENT_OPTIONS),
  };
}

/** A function runs for 900 s at most; the rest is for its start and the way back.
 *  https://docs.aws.amazon.com/lambda/latest/dg/configuration-timeout.html */
const ANSWER_WITHIN_MS = 930_000;

const INVOKING_OPTIONS = {
  // An act that is asked for again because its answer was lost would be done twice.
  maxAttempts: 1,
  requestHandler: {
    connectionTimeout: 5000,
    socketTimeout: ANSWER_WITHIN_MS,
    requestTimeout: ANSWER_WITHIN_MS,
    throwOnRequestTimeout: true,
  },
} as const;
