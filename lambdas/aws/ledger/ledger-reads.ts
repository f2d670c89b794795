import { BatchGetItemCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { LedgerItem, RecordRef, Standing } from "../../core/ledger.ts";
import { namedInEntries } from "./entry-names.ts";
import { type Attributes, readLedgerItem } from "./ledger-item.ts";
import { recordKey } from "./ledger-keys.ts";
import type { LedgerTable } from "./ledger-table.ts";

/** Keys of one BatchGetItem.
 *  https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const KEYS_PER_READ = 100;

/** Rounds for keys that DynamoDB left unprocessed before the read counts as failed. */
const ROUNDS = 5;

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
  const open = records.filter(({ id }) => items.get(id)?.state !== "applied");
  const named = await namedInEntries(ledger, open);
  return records.map((record) => ({
    item: items.get(record.id),
    entry: named.get(record) ?? "absent",
  }));
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
