import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { DemoCloud } from "./demo-cloud.ts";
import { MENDED, MISSING_ITEM } from "./faults.ts";

type Wallet = Pick<DemoCloud, "dynamo" | "walletTable">;

const PRICES = { potion: 3, shield: 12, banner: 7 };

/** What the game sells from the start: all but one item. */
export async function stockCatalogue({ dynamo, walletTable }: Wallet): Promise<void> {
  for (const [name, price] of Object.entries(PRICES)) {
    const Item = { pk: { S: "catalogue" }, sk: { S: `item#${name}` }, price: { N: String(price) } };
    await dynamo.send(new PutItemCommand({ TableName: walletTable, Item }));
  }
}

/** What an operator does about the two causes of the dead letters. */
export async function mendCauses({ dynamo, walletTable }: Wallet): Promise<void> {
  for (const Item of [{ ...MISSING_ITEM, price: { N: "40" } }, MENDED]) {
    await dynamo.send(new PutItemCommand({ TableName: walletTable, Item }));
  }
}
