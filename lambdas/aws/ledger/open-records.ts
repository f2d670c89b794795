import {
  paginateQuery,
  paginateScan,
  type QueryCommandInput,
  type ScanCommandInput,
} from "@aws-sdk/client-dynamodb";
import type { LedgerItem, LedgerState } from "../../core/ledger.ts";
import { readLedgerItem } from "./ledger-item.ts";
import { OPEN_INDEX } from "./ledger-keys.ts";
import type { LedgerTable } from "./ledger-table.ts";

export type OpenRecordsFilter = {
  /** @default - both states of the index */
  readonly state?: Exclude<LedgerState, "applied"> | undefined;
  /** @default - all partitions */
  readonly partition?: number | undefined;
};

/**
 * Records that are retrying or dead, longest published first, by the ledger's sparse index: no queue
 * is touched. The index may lag behind the table a moment; expired items are left out. Letters that
 * SQS moved without the consumer ever seeing them are not in it.
 * @throws where DynamoDB fails.
 */
export async function listOpenRecords(
  ledger: LedgerTable,
  { state, partition }: OpenRecordsFilter = {},
): Promise<readonly LedgerItem[]> {
  const found: LedgerItem[] = [];
  for await (const { Items = [] } of pagesOf(ledger, partition)) {
    for (const attributes of Items) {
      const item = readLedgerItem(attributes, ledger.nowMs());
      if (item !== undefined && item.state === (state ?? item.state)) found.push(item);
    }
  }
  return found.toSorted((left, right) => left.enqueuedAtMs - right.enqueuedAtMs);
}

function pagesOf(
  { client, table }: LedgerTable,
  partition: number | undefined,
): ReturnType<typeof paginateScan> | ReturnType<typeof paginateQuery> {
  const index = { TableName: table, IndexName: OPEN_INDEX } satisfies ScanCommandInput;
  if (partition === undefined) return paginateScan({ client }, index);
  const query: QueryCommandInput = {
    ...index,
    KeyConditionExpression: "openPartition = :partition",
    ExpressionAttributeValues: { ":partition": { S: String(partition) } },
  };
  return paginateQuery({ client }, query);
}
