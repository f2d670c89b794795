import { paginateQuery } from "@aws-sdk/client-dynamodb";
import type { RecordRef, Standing } from "../../core/ledger.ts";
import { compareOffsets } from "../../core/wire/offset.ts";
import { readBatchEntries } from "./batch-entries.ts";
import { type Attributes, hasExpired, number } from "./ledger-item.ts";
import { ENTRY_PREFIX, entriesOf } from "./ledger-keys.ts";
import type { LedgerTable } from "./ledger-table.ts";

/** Entries read of one partition in search of a record whose offset is unknown. */
export const SEARCHED_ENTRIES = 10_000;

/** Publishers' and consumers' clocks may differ; an entry older than this cannot name the record. */
const CLOCK_TOLERANCE_MS = 3_600_000;

/**
 * Whether a batch entry names each record. Records of one partition share reads: there is never more
 * than one request for each, and mostly one for all. All reads are consistent.
 * @throws where DynamoDB fails.
 */
export async function namedInEntries(
  ledger: LedgerTable,
  records: readonly RecordRef[],
): Promise<ReadonlyMap<RecordRef, Standing["entry"]>> {
  const named = new Map<RecordRef, Standing["entry"]>();
  const byPartition = Map.groupBy(records.filter(hasOffset), ({ partition }) => partition);
  await Promise.all([
    ...[...byPartition].map(([partition, some]) => walkEntries(ledger, partition, some, named)),
    ...records
      .filter((record) => !hasOffset(record))
      .map(async (record) => named.set(record, await searchEntries(ledger, record))),
  ]);
  return named;
}

type Placed = RecordRef & { readonly offset: string };

function hasOffset(record: RecordRef): record is Placed {
  return record.offset !== undefined;
}

/** The entry that could name a record is the last one at or before its offset. Each page begins at the
 *  newest record that is still open, so it answers for that one at least. */
async function walkEntries(
  ledger: LedgerTable,
  partition: number,
  records: readonly Placed[],
  named: Map<RecordRef, Standing["entry"]>,
): Promise<void> {
  let open = records.toSorted((left, right) => compareOffsets(right.offset, left.offset));
  for (let first = open[0]; first !== undefined; first = open[0]) {
    const range = { partition, upTo: first.offset, limit: open.length };
    const { entries, end } = await readBatchEntries(ledger, range);
    const oldest = entries.at(-1)?.offset;
    const answered = open.filter(
      ({ offset }) => end || (oldest !== undefined && compareOffsets(oldest, offset) <= 0),
    );
    for (const record of answered) {
      const entry = entries.find(({ offset }) => compareOffsets(offset, record.offset) <= 0);
      named.set(record, entry?.ids.has(record.id) === true ? "named" : "absent");
    }
    open = open.slice(answered.length);
  }
}

/** Newest entries first, until they are older than the record or the cap is reached. */
async function searchEntries(
  { client, table, nowMs }: LedgerTable,
  { id, partition, enqueuedAtMs }: RecordRef,
): Promise<Standing["entry"]> {
  const pages = paginateQuery(
    { client },
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
  const oldestMs = enqueuedAtMs - CLOCK_TOLERANCE_MS;
  let read = 0;
  for await (const { Items = [] } of pages) {
    for (const entry of Items) {
      if (names(entry, id, nowMs())) return "named";
      if (isOlder(entry, oldestMs)) return "absent";
    }
    read += Items.length;
    if (read >= SEARCHED_ENTRIES) return "unknown";
  }
  return "absent";
}

function isOlder(entry: Attributes, oldestMs: number): boolean {
  const appliedAt = number(entry, "appliedAt");
  return appliedAt !== undefined && appliedAt < oldestMs;
}

function names(entry: Attributes, id: string, nowMs: number): boolean {
  return !hasExpired(entry, nowMs) && (entry["ids"]?.SS ?? []).includes(id);
}
