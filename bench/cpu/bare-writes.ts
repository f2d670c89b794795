import { type DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import { entryWrite } from "../../lambdas/aws/ledger/ledger-writes.ts";
import type { Consumer } from "../contenders/backlogorder.ts";
import { LEDGER_TABLE } from "../contenders/backlogorder.ts";

const MOMENT = { nowMs: 1_800_000_000_000, memorySeconds: 32 * 86_400 };

/** One batch entry for each group of a batch, side by side, and nothing else: what no consumer can
 *  do without that remembers before it answers. */
export function bareWrites(client: DynamoDBClient): Consumer {
  return async ({ Records }): Promise<SQSBatchResponse> => {
    const groups = Map.groupBy(Records, ({ attributes }) => attributes.MessageGroupId);
    await Promise.all(
      [...groups].map(([group, records]) =>
        client.send(
          new UpdateItemCommand({
            TableName: LEDGER_TABLE.name,
            ...entryWrite(Number(group), records.map(entryRecordOf), MOMENT),
          }),
        ),
      ),
    );
    return { batchItemFailures: [] };
  };
}

function entryRecordOf({ messageId, attributes }: SQSRecord): {
  readonly id: string;
  readonly key: string;
  readonly offset: string;
} {
  return { id: messageId, key: "", offset: attributes.SequenceNumber ?? "" };
}
