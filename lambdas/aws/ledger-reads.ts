import {
  BatchGetItemCommand,
  type DynamoDBClient,
  paginateQuery,
  QueryCommand,
} from "@aws-sdk/client-dynamodb";
import type { LedgerItem, RecordRef, Standing } from "../core/ledger.ts";
import { paddedOffset } from "../core/wire/offset.ts";
import { type Attributes, hasExpired, number, readLedgerItem } from "./ledger-item.ts";
import { ENTRY_PREFIX, entriesOf, recordKey } from "./ledger-keys.ts";

/** Where the ledger stands. */
export type LedgerTable = {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly nowMs: () => number;
};

/** Keys of one BatchGetItem.
 *  https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const KEYS_PER_READ = 100;

/** Rounds for keys that DynamoDB left unprocessed before the read counts as failed. */
const ROUNDS = 5;

/** Entries read of one partition in search of a record whose offset is unknown. */
const SEARCHED_ENTRIES = 10_000;

/** Publishers' and consumers' clocks may differ; an entry older than this cannot name the record. */
const CLOCK_TOLERANCE_MS = 3_600_000;

/**
 * Standing of each record, in the order given: its item, and where that does not settle it, whether
 * a batch entry names it. All reads are consistent.
 * @throws where DynamoDB fails or leaves keys unprocessed five times.
 */
export async function readStandings(
  ledger: LedgerTable,
  records: readonly RecordRef[],
): Promise<readonly Standing[]> {
  const items = await readItems(
    ledger,
    records.map(({ id }) => id),
  );
  return Promise.all(
    records.map(async (record) => {
      const item = items.get(record.id);
      const entry = item?.state === "applied" ? "absent" : await readEntry(ledger, record);
      return { item, entry };
    }),
  );
}

/** Record items by id; ids without one, or with an expired one, are left out. */
export async function readItems(
  { client, table, nowMs }: LedgerTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LedgerItem>> {
  const found = new Map<string, LedgerItem>();
  const distinct = [...new Set(ids)];
  for (let start = 0; start < distinct.length; start += KEYS_PER_READ) {
    const keys = distinct.slice(start, start + KEYS_PER_READ).map(recordKey);
    for (const attributes of await batchGet(client, table, keys)) {
      const item = readLedgerItem(attributes, nowMs());
      if (item !== undefined) found.set(item.id, item);
    }
  }
  return found;
}

/** Items by their keys, consistently read; absent ones are left out.
 *  @throws where DynamoDB fails or leaves keys unprocessed five times. */
export async function batchGet(
  client: DynamoDBClient,
  table: string,
  keys: readonly Attributes[],
): Promise<readonly Attributes[]> {
  const items: Attributes[] = [];
  let rest: readonly Attributes[] = keys;
  for (let round = 0; round < ROUNDS && rest.length > 0; round += 1) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({
        RequestItems: { [table]: { Keys: [...rest], ConsistentRead: true } },
      }),
    );
    items.push(...(Responses?.[table] ?? []));
    rest = UnprocessedKeys?.[table]?.Keys ?? [];
  }
  if (rest.length > 0) {
    throw new Error(
      `Expected DynamoDB to read ${keys.length} items of the ledger, but ${rest.length} stayed unprocessed after ${ROUNDS} rounds. Its reads are throttled; the records are delivered again`,
    );
  }
  return items;
}

async function readEntry(ledger: LedgerTable, record: RecordRef): Promise<Standing["entry"]> {
  return record.offset === undefined
    ? searchEntries(ledger, record)
    : entryBefore(ledger, record, record.offset);
}

/** The entry that could name a record is the last one at or before its offset. */
async function entryBefore(
  { client, table, nowMs }: LedgerTable,
  { id, partition }: RecordRef,
  offset: string,
): Promise<Standing["entry"]> {
  const { Items } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :offset",
      ExpressionAttributeValues: {
        ":pk": { S: entriesOf(partition) },
        ":first": { S: ENTRY_PREFIX },
        ":offset": { S: `${ENTRY_PREFIX}${paddedOffset(offset)}` },
      },
      ScanIndexForward: false,
      Limit: 1,
      ConsistentRead: true,
    }),
  );
  const entry = Items?.[0];
  return entry !== undefined && names(entry, id, nowMs()) ? "named" : "absent";
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
