import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { handle } from "../contenders/no-op-handler.ts";
import { powertoolsConsumer } from "../contenders/powertools.ts";

// The function as a team would deploy it: its own client, the default options.

const consume = powertoolsConsumer({ client: new DynamoDBClient(), handle });

/** Handles one batch of the queue. */
export function handler(event: SQSEvent, _: Context): Promise<SQSBatchResponse> {
  return consume(event);
}
