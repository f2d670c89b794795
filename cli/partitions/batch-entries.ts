import { paginateQuery } from "@aws-sdk/client-dynamodb";
import { batchEntryOf } from "../../lambdas/aws/ledger/batch-entries.ts";
import { SEARCHED_ENTRIES } from "../../lambdas/aws/ledger/entry-names.ts";
import { hasExpired } from "../../lambdas/aws/ledger/ledger-item.ts";
import { ENTRY_PREFIX, entriesOf } from "../../lambdas/aws/ledger/ledger-keys.ts";
import type { LedgerTable } from "../../lambdas/aws/ledger/ledger-table.ts";
import type { BatchEntry } from "../../lambdas/core/replay/replay-ports.ts";

/**
 * The entries of a partition, the newest first, at most {@link SEARCHED_ENTRIES}; expired ones are
 * left out. Only plain handlers leave entries: a record with effects has an item of its own.
 * @throws where DynamoDB fails.
 */
export async function* newestEntries(
  { client, table, nowMs }: LedgerTable,
  partition: number,
): AsyncGenerator<BatchEntry> {
  const pages = paginateQuery(
    { client, pageSize: PAGE },
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
      ExpressionAttributeValues: {
        ":pk": { S: entriesOf(partition) },
        ":prefix": { S: ENTRY_PREFIX },
      },
      ScanIndexForward: false,
      ConsistentRead: true,
    },
  );
  let read = 0;
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      if (read >= SEARCHED_ENTRIES) return;
      read += 1;
      if (hasExpired(item, nowMs())) continue;
      yield batchEntryOf(item);
    }
  }
}

/** Most searches end within the first entries; a whole page of DynamoDB holds 1 MB. */
const PAGE = 200;
