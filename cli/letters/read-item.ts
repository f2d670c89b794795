import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { number, readLedgerItem, text } from "../../lambdas/aws/ledger/ledger-item.ts";
import { recordKey } from "../../lambdas/aws/ledger/ledger-keys.ts";
import type { LedgerTable } from "../../lambdas/aws/ledger/ledger-table.ts";
import type { LedgerItem } from "../../lambdas/core/ledger.ts";
import type { WithheldKind } from "../../lambdas/core/letters/withheld.ts";

/** A record's own item, with what only a look at one record needs. */
export type FoundItem = {
  readonly item: LedgerItem;
  readonly appliedAtMs: number | undefined;
  /** Why no list and no replay has its letter; undefined where they have. */
  readonly withheld: WithheldKind | undefined;
};

/** Consistently read; undefined where there is none, or its time is over. @throws where DynamoDB
 *  fails. */
export async function findItem(
  { client, table, nowMs }: LedgerTable,
  id: string,
): Promise<FoundItem | undefined> {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: table, Key: { ...recordKey(id) }, ConsistentRead: true }),
  );
  const item = Item && readLedgerItem(Item, nowMs());
  if (Item === undefined || item === undefined) return undefined;
  // A record that goes on without its letter is listed again, and its mark stands for nothing.
  const isWithheld = item.state === "dead" && Item["openPartition"] === undefined;
  const mark = isWithheld ? text(Item, "withheld") : undefined;
  const withheld = mark === "editing" || mark === "discarded" ? mark : undefined;
  return { item, appliedAtMs: number(Item, "appliedAt"), withheld };
}
