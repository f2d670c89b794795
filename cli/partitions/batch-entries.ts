import { paginateQuery } from "@aws-sdk/client-dynamodb";
import { type Attributes, hasExpired, number } from "../../lambdas/aws/ledger/ledger-item.ts";
import { ENTRY_PREFIX, entriesOf } from "../../lambdas/aws/ledger/ledger-keys.ts";
import type { LedgerTable } from "../../lambdas/aws/ledger/ledger-table.ts";

/** What the ledger keeps of records of one partition that were applied together at first receive. */
export type BatchEntry = {
  readonly appliedAtMs: number;
  /** Offset of the first of them, without padding. */
  readonly offset: string;
  readonly ids: ReadonlySet<string>;
  /** 32-bit hashes of their keys, which other keys may share. */
  readonly keyHashes: ReadonlySet<number>;
};

/** Entries read of one partition before a search gives up. */
export const SEARCHED_ENTRIES = 10_000;

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
      yield entryOf(item);
    }
  }
}

/** Most searches end within the first entries; a whole page of DynamoDB holds 1 MB. */
const PAGE = 200;

function entryOf(item: Attributes): BatchEntry {
  return {
    appliedAtMs: number(item, "appliedAt") ?? 0,
    offset: unpadded(item["sk"]?.S ?? ""),
    ids: new Set(item["ids"]?.SS ?? []),
    keyHashes: new Set((item["keyHashes"]?.NS ?? []).map(Number)),
  };
}

function unpadded(sortKey: string): string {
  return sortKey.slice(ENTRY_PREFIX.length).replace(/^0+(?=\d)/, "");
}
