import { processPartialResponse, SqsFifoPartialProcessorAsync } from "@aws-lambda-powertools/batch";
import { IdempotencyConfig, makeIdempotent } from "@aws-lambda-powertools/idempotency";
import { DynamoDBPersistenceLayer } from "@aws-lambda-powertools/idempotency/dynamodb";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type { MeasuredTable } from "../measure/create-table.ts";
import type { Consumer } from "./backlogorder.ts";
import { CONTEXT } from "./batch.ts";

export const IDEMPOTENCY_TABLE: MeasuredTable = {
  name: "idempotency",
  partitionKey: "id",
};

export type PowertoolsOptions = {
  readonly client: DynamoDBClient;
  readonly handle: (record: SQSRecord) => Promise<undefined>;
};

/**
 * What a team would write with Powertools for AWS Lambda: the batch FIFO processor, which lets the
 * other groups go on behind a failure, around a handler made idempotent by message id.
 * https://docs.powertools.aws.dev/lambda/typescript/latest/features/batch/
 */
export function powertoolsConsumer({ client, handle }: PowertoolsOptions): Consumer {
  const config = new IdempotencyConfig({ eventKeyJmesPath: "messageId" });
  const once = makeIdempotent(handle, {
    persistenceStore: new DynamoDBPersistenceLayer({
      tableName: IDEMPOTENCY_TABLE.name,
      awsSdkV3Client: client,
    }),
    config,
  });
  const processor = new SqsFifoPartialProcessorAsync();
  return (event: SQSEvent): Promise<SQSBatchResponse> => {
    config.registerLambdaContext(CONTEXT);
    return processPartialResponse(event, once, processor, {
      context: CONTEXT,
      skipGroupOnError: true,
      throwOnFullBatchFailure: false,
    });
  };
}
