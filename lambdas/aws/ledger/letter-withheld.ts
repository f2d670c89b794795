import { paginateQuery } from "@aws-sdk/client-dynamodb";
import type { Withheld } from "../../core/letters/withheld.ts";
import { type Attributes, hasExpired, number, text } from "./ledger-item.ts";
import { recordKey } from "./ledger-keys.ts";
import { batchGet } from "./ledger-reads.ts";
import type { LedgerTable } from "./ledger-table.ts";

/** Partition key of the marks on letters, so that all of them can be listed. */
export const WITHHELD_PK = "withheld";

/** Letters that are withheld, oldest mark first; those whose record went on without them are left
 *  out. Each that `isWanted` costs a read of its record. @throws where DynamoDB fails. */
export async function listWithheld(
  ledger: LedgerTable,
  isWanted: (letter: Withheld) => boolean = () => true,
): Promise<readonly Withheld[]> {
  const { client, table, nowMs } = ledger;
  const found: Withheld[] = [];
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": { S: WITHHELD_PK } },
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) {
    const marks = Items.filter((item) => !hasExpired(item, nowMs())).map(withheldOf);
    found.push(...marks.filter(isWanted));
  }
  const standing = await withheldIds(ledger, found);
  return found
    .filter(({ id }) => standing.has(id))
    .toSorted((left, right) => left.mark.atMs - right.mark.atMs);
}

const KEYS_PER_READ = 100;

async function withheldIds(
  { client, table, nowMs }: LedgerTable,
  found: readonly Withheld[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let start = 0; start < found.length; start += KEYS_PER_READ) {
    const keys = found.slice(start, start + KEYS_PER_READ).map(({ id }) => recordKey(id));
    for (const item of await batchGet(client, table, keys)) {
      const isOut = item["openPartition"] === undefined && text(item, "state") === "dead";
      if (isOut && item["withheld"] !== undefined && !hasExpired(item, nowMs())) {
        ids.add(text(item, "id") ?? "");
      }
    }
  }
  return ids;
}

function withheldOf(item: Attributes): Withheld {
  return {
    id: text(item, "id") ?? "",
    key: text(item, "key") ?? "",
    partition: number(item, "partition") ?? 0,
    offset: text(item, "offset"),
    generation: number(item, "generation") ?? 0,
    enqueuedAtMs: number(item, "enqueuedAt") ?? 0,
    kind: text(item, "kind") === "editing" ? "editing" : "discarded",
    reason: text(item, "reason"),
    failedAtMs: number(item, "failedAt"),
    letterSentAtMs: number(item, "letterSentAt"),
    mark: {
      who: text(item, "who"),
      why: text(item, "why"),
      actId: text(item, "actId") ?? "",
      atMs: number(item, "at") ?? 0,
    },
  };
}
