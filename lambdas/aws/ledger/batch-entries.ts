import { QueryCommand } from "@aws-sdk/client-dynamodb";
import type { BatchEntry, EntryPage } from "../../core/replay/replay-ports.ts";
import { paddedOffset } from "../../core/wire/offset.ts";
import { type Attributes, hasExpired, number, text } from "./ledger-item.ts";
import { ENTRY_PREFIX, entriesOf } from "./ledger-keys.ts";
import type { LedgerTable } from "./ledger-table.ts";

export type EntryRange = {
  readonly partition: number;
  /** Newest offset wanted, itself included; undefined = all. */
  readonly upTo: string | undefined;
  /** Entries of the page at most. */
  readonly limit: number;
};

/** Sorts behind every offset of 39 digits. */
const LAST = `${ENTRY_PREFIX}:`;

/**
 * One page of a partition's batch entries, newest first, consistently read in one request. Expired
 * ones are left out; DynamoDB may end a page early, at 1 MB.
 * @throws where DynamoDB fails.
 */
export async function readBatchEntries(
  { client, table, nowMs }: LedgerTable,
  { partition, upTo, limit }: EntryRange,
): Promise<EntryPage> {
  const { Items = [], LastEvaluatedKey } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
      ExpressionAttributeValues: {
        ":pk": { S: entriesOf(partition) },
        ":first": { S: ENTRY_PREFIX },
        ":last": { S: upTo === undefined ? LAST : `${ENTRY_PREFIX}${paddedOffset(upTo)}` },
      },
      ScanIndexForward: false,
      Limit: limit,
      ConsistentRead: true,
    }),
  );
  const now = nowMs();
  const entries = Items.filter((item) => !hasExpired(item, now)).map(batchEntryOf);
  // Behind a page of expired entries there are only older ones, which have expired as well.
  return { entries, end: LastEvaluatedKey === undefined || entries.length === 0 };
}

/** Reads the item of a batch entry. */
export function batchEntryOf(item: Attributes): BatchEntry {
  return {
    offset: (text(item, "sk") ?? "").slice(ENTRY_PREFIX.length),
    ids: new Set(item["ids"]?.SS),
    keyHashes: (item["keyHashes"]?.NS ?? []).map(Number),
    appliedAtMs: number(item, "appliedAt") ?? 0,
  };
}
