import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import { SSMClient } from "@aws-sdk/client-ssm";
import type { Cloud } from "../cloud.ts";

/** The SDK's clients of the services that a deploy talks to by HTTP, as CloudFormation would. */
export type Clients = {
  readonly sqs: SQSClient;
  readonly dynamodb: DynamoDBClient;
  readonly cloudwatch: CloudWatchClient;
  readonly lambda: LambdaClient;
  readonly ssm: SSMClient;
  destroy(): void;
};

/** The embedded services check no signature, but a client will not send without credentials. */
export function createClients({ region, sqs, dynamodb, cloudwatch, lambda, ssm }: Cloud): Clients {
  const options = { region, credentials: { accessKeyId: "local", secretAccessKey: "local" } };
  const clients = {
    sqs: new SQSClient({ ...options, endpoint: sqs.url }),
    dynamodb: new DynamoDBClient({ ...options, endpoint: dynamodb.url }),
    cloudwatch: new CloudWatchClient({ ...options, endpoint: cloudwatch.url }),
    lambda: new LambdaClient({ ...options, endpoint: lambda.url }),
    ssm: new SSMClient({ ...options, endpoint: ssm.url }),
  };
  return {
    ...clients,
    destroy(): void {
      for (const client of Object.values(clients)) client.destroy();
    },
  };
}
