import { paginateQuery } from "@aws-sdk/client-dynamodb";
import type { BatchEntry, EntryPage } from "../../core/replay/replay-ports.ts";
import { paddedOffset } from "../../core/wire/offset.ts";
import { type Attributes, hasExpired, number, text } from "./ledger-item.ts";
import { ENTRY_PREFIX, entriesOf } from "./ledger-keys.ts";
import type { LedgerTable } from "./ledger-table.ts";

export type EntryRange = {
  readonly partition: number;
  /** Newest offset wanted, itself included; undefined = all. */
  readonly upTo: string | undefined;
  /** Entries wanted at least, where there are so many. */
  readonly limit: number;
};

export type PagedRange = Pick<EntryRange, "partition"> & {
  readonly upTo?: string | undefined;
  /** Entries of one request at most. @default - what is below 1 MB together */
  readonly pageSize?: number;
};

/** Sorts behind every offset of 39 digits. */
const LAST = `${ENTRY_PREFIX}:`;

/**
 * Batch entries of a partition, newest first, consistently read; in one request as long as they are
 * below 1 MB together, where DynamoDB ends a page. Expired ones are left out.
 * @throws where DynamoDB fails.
 */
export async function readBatchEntries(
  ledger: LedgerTable,
  { partition, upTo, limit }: EntryRange,
): Promise<EntryPage> {
  const entries: BatchEntry[] = [];
  for await (const page of batchEntryPages(ledger, { partition, upTo, pageSize: limit })) {
    entries.push(...page.entries);
    if (page.end || entries.length >= limit) return { entries, end: page.end };
  }
  return { entries, end: true };
}

/**
 * The pages in which DynamoDB gives a partition's batch entries, newest first, consistently read, each
 * one request. Expired entries are left out; the page that held one has `end`, and is the last.
 * @throws where DynamoDB fails.
 */
export async function* batchEntryPages(
  { client, table, nowMs }: LedgerTable,
  { partition, upTo, pageSize }: PagedRange,
): AsyncGenerator<EntryPage> {
  const pages = paginateQuery(
    { client, ...(pageSize !== undefined && { pageSize }) },
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
      ExpressionAttributeValues: {
        ":pk": { S: entriesOf(partition) },
        ":first": { S: ENTRY_PREFIX },
        ":last": { S: upTo === undefined ? LAST : `${ENTRY_PREFIX}${paddedOffset(upTo)}` },
      },
      ScanIndexForward: false,
      ConsistentRead: true,
    },
  );
  const now = nowMs();
  for await (const { Items = [] } of pages) {
    const entries = Items.filter((item) => !hasExpired(item, now)).map(batchEntryOf);
    // Behind an expired entry there are only older ones, whose time is over as well.
    const end = entries.length < Items.length;
    yield { entries, end };
    if (end) return;
  }
}

function batchEntryOf(item: Attributes): BatchEntry {
  return {
    offset: (text(item, "sk") ?? "").slice(ENTRY_PREFIX.length),
    ids: new Set(item["ids"]?.SS),
    keyHashes: (item["keyHashes"]?.NS ?? []).map(Number),
    appliedAtMs: number(item, "appliedAt") ?? 0,
  };
}
