import { checked, runAction, tableOf } from "./dynalite.ts";
import type { Item, Store } from "./dynalite-store.ts";
import { isErrorOf } from "./request.ts";
import { atomicStore } from "./store-view.ts";
import { tablesWithTimeToLive } from "./table-settings.ts";

/** DynamoDB leaves an item alone whose time is longer past than this, as most likely a mistake.
 *  https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html */
const PAST_MAX_SECONDS = 5 * 365 * 86_400;

/** Deletes the items of all tables whose time to live is over. An item that is renewed while this
 *  runs stays. */
export async function expireItems(store: Store, nowMs: number): Promise<void> {
  for (const { table, attribute } of await tablesWithTimeToLive(store)) {
    try {
      await expireTable(store, table, expiryCondition(attribute, Math.floor(nowMs / 1000)));
    } catch (error) {
      // The table was deleted meanwhile, and its items with it.
      if (!isErrorOf(error, "ResourceNotFoundException")) throw error;
    }
  }
}

type Condition = {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
};

function expiryCondition(attribute: string, nowSeconds: number): Condition {
  return {
    expression: "attribute_type(#time, :number) AND #time < :now AND #time > :longAgo",
    names: { "#time": attribute },
    values: {
      ":number": { S: "N" },
      ":now": { N: String(nowSeconds) },
      ":longAgo": { N: String(nowSeconds - PAST_MAX_SECONDS) },
    },
  };
}

async function expireTable(store: Store, table: string, condition: Condition): Promise<void> {
  const { KeySchema } = await tableOf(store, table);
  const keyNames = (KeySchema as readonly { readonly AttributeName: string }[]).map(
    ({ AttributeName }) => AttributeName,
  );
  let start: Item | undefined;
  do {
    const page = await expiredPage(store, table, condition, start);
    for (const item of page.Items) await expireItem(store, table, keyIn(item, keyNames), condition);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

type Page = { readonly Items: readonly Item[]; readonly LastEvaluatedKey?: Item };

async function expiredPage(
  store: Store,
  table: string,
  { expression, names, values }: Condition,
  start: Item | undefined,
): Promise<Page> {
  const request = checked(store, "Scan", {
    TableName: table,
    FilterExpression: expression,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ...(start === undefined ? {} : { ExclusiveStartKey: start }),
  });
  return (await runAction(store, "Scan", request)) as Page;
}

async function expireItem(
  store: Store,
  table: string,
  key: Item,
  { expression, names, values }: Condition,
): Promise<void> {
  const request = checked(store, "DeleteItem", {
    TableName: table,
    Key: key,
    ConditionExpression: expression,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  });
  try {
    await runAction(atomicStore(store), "DeleteItem", request);
  } catch (error) {
    if (!isErrorOf(error, "ConditionalCheckFailedException")) throw error;
  }
}

function keyIn(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}
