import { type AttributeValue, type DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import type { Application, CountedApplication } from "./promises.ts";

type Item = Record<string, AttributeValue>;

/** What the wallet's statements say: one for each event, with how often it was applied. */
export async function walletApplications(
  client: DynamoDBClient,
  table: string,
): Promise<ReadonlyMap<string, CountedApplication>> {
  const found = new Map<string, CountedApplication>();
  for (const { sk, applied, handledAtMs } of await itemsOf(client, table)) {
    if (!sk?.S?.startsWith("entry#")) continue;
    found.set(sk.S.slice("entry#".length), {
      times: Number(applied?.N ?? 0),
      firstAtMs: Number(handledAtMs?.N ?? 0),
    });
  }
  return found;
}

/** What the ledger knows to be applied: for a handler whose own data the demo cannot read. An
 *  entry's records were applied together, and nobody knows how often, as far as the ledger can tell. */
export async function ledgerApplications(
  client: DynamoDBClient,
  table: string,
): Promise<ReadonlyMap<string, Application>> {
  const found = new Map<string, Application>();
  for (const { id, ids, state, appliedAt } of await itemsOf(client, table)) {
    const firstAtMs = Number(appliedAt?.N ?? 0);
    const named = ids?.SS ?? (state?.S === "applied" && id?.S !== undefined ? [id.S] : []);
    for (const one of named) found.set(one, { firstAtMs });
  }
  return found;
}

async function itemsOf(client: DynamoDBClient, table: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  const pages = paginateScan({ client }, { TableName: table, ConsistentRead: true });
  for await (const { Items = [] } of pages) items.push(...Items);
  return items;
}
