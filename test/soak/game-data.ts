import { type AttributeValue, paginateScan } from "@aws-sdk/client-dynamodb";
import type { SoakClients } from "./soak-clients.ts";

/** What the game's own table says was applied. */
export type GameData = {
  /** How often, by record. */
  readonly applied: ReadonlyMap<string, number>;
  /** Ids of each partition in the order in which they were applied. */
  readonly orders: ReadonlyMap<number, readonly string[]>;
  /** Coins by key. */
  readonly balances: ReadonlyMap<string, number>;
};

type Item = Record<string, AttributeValue>;

export async function readGameData({ dynamo, walletTable }: SoakClients): Promise<GameData> {
  const applied = new Map<string, number>();
  const orders = new Map<number, readonly string[]>();
  const balances = new Map<string, number>();
  for (const item of await itemsOf(dynamo, walletTable)) {
    const [kind, name = ""] = splitAt(item["pk"]?.S ?? "");
    const [row, id = ""] = splitAt(item["sk"]?.S ?? "");
    if (kind === "order") orders.set(Number(name), textsOf(item["ids"]));
    else if (row === "entry") applied.set(id, Number(item["applied"]?.N));
    else if (row === "balance") balances.set(name, Number(item["coins"]?.N));
  }
  return { applied, orders, balances };
}

/** Records that are letters, or were: a generation above 0 is what a replay leaves. */
export async function lettersIn(clients: SoakClients): Promise<ReadonlySet<string>> {
  const items = await itemsOf(clients.dynamo, clients.ledgerTable);
  return new Set(
    items
      .filter(({ state, generation }) => state?.S === "dead" || Number(generation?.N) > 0)
      .flatMap(({ id }) => id?.S ?? []),
  );
}

async function itemsOf(client: SoakClients["dynamo"], TableName: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const { Items = [] } of paginateScan(
    { client },
    { TableName, ConsistentRead: true },
  )) {
    items.push(...Items);
  }
  return items;
}

function splitAt(text: string): readonly string[] {
  const at = text.indexOf("#");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function textsOf(list: AttributeValue | undefined): readonly string[] {
  return (list?.L ?? []).map(({ S }) => S ?? "");
}
