import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Cloud } from "../cloud.ts";

/** The SDK's clients of the services that a deploy talks to by HTTP, as CloudFormation would. */
export type Clients = {
  readonly sqs: SQSClient;
  readonly dynamodb: DynamoDBClient;
  destroy(): void;
};

/** The embedded services check no signature, but a client will not send without credentials. */
export function createClients({ region, sqs, dynamodb }: Cloud): Clients {
  const options = { region, credentials: { accessKeyId: "local", secretAccessKey: "local" } };
  const clients = {
    sqs: new SQSClient({ ...options, endpoint: sqs.url }),
    dynamodb: new DynamoDBClient({ ...options, endpoint: dynamodb.url }),
  };
  return {
    ...clients,
    destroy(): void {
      clients.sqs.destroy();
      clients.dynamodb.destroy();
    },
  };
}
