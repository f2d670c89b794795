import { createRequire } from "node:module";
import { promisify } from "node:util";
import { ServiceError } from "../http/aws-json.ts";
import type { Callback, Item, Store, Table } from "./dynalite-store.ts";

/**
 * The parts of dynalite that the embedded DynamoDB is made of. dynalite ships no types and exports
 * only its own HTTP server, which knows no transactions; so its modules are loaded one by one, and
 * its version is pinned exactly.
 */

/** A request after dynalite has checked it: unknown fields are gone, expressions are parsed. */
export type Checked = Readonly<Record<string, unknown>> & { readonly TableName: string };

type Action = (store: Store, data: unknown, callback: Callback<unknown>) => void;
type Validation = { readonly types: unknown; readonly custom?: unknown };

type Db = {
  create(options: object): Store;
  createKey(item: Item, table: Table): string;
  validateItem(item: Item, table: Table): Error | null | undefined;
  validateKey(key: Item, table: Table): Error | null | undefined;
  checkConditional(data: Checked, existing: Item | undefined): Error | null | undefined;
  itemSize(item: Item): number;
  capacityUnits(item: Item | undefined): number;
};

type Validations = {
  checkTypes(body: unknown, types: unknown): Checked;
  checkValidations(data: Checked, types: unknown, custom: unknown, store: Store): void;
};

const load = createRequire(import.meta.url);
const db: Db = load("dynalite/db");
const validations: Validations = load("dynalite/validations");

/** Names of dynalite's actions: the API's operations that it implements. */
const ACTIONS = [
  "BatchGetItem",
  "BatchWriteItem",
  "CreateTable",
  "DeleteItem",
  "DeleteTable",
  "DescribeTable",
  "GetItem",
  "ListTables",
  "ListTagsOfResource",
  "PutItem",
  "Query",
  "Scan",
  "TagResource",
  "UntagResource",
  "UpdateItem",
  "UpdateTable",
] as const;

export type ActionName = (typeof ACTIONS)[number];

const actions = new Map(
  ACTIONS.map((name) => {
    const file = name.charAt(0).toLowerCase() + name.slice(1);
    // Once: at each call it took a sixth of a write's time.
    const run = promisify<Store, unknown, unknown>(load(`dynalite/actions/${file}`) as Action);
    const validation: Validation = load(`dynalite/validations/${file}`);
    return [name, { run, validation }];
  }),
);

/** Opens the tables at `path`, or empty ones in memory. Tables change their state at once. */
export async function openStore(path: string | undefined): Promise<Store> {
  const store = db.create({
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
    ...(path === undefined ? {} : { path }),
  });
  await store.db.open();
  return store;
}

/** Checks a request as DynamoDB does before it looks at any table; leaves `body` as it is.
 *  @throws ServiceError for a request that DynamoDB refuses. */
export function checked(store: Store, name: ActionName, body: unknown): Checked {
  const { validation } = actionOf(name);
  try {
    const data = validations.checkTypes(structuredClone(body), validation.types);
    validations.checkValidations(data, validation.types, validation.custom, store);
    return data;
  } catch (error) {
    throw serviceErrorOf(error);
  }
}

/** Runs a checked request, which is not to be used again. @throws ServiceError */
export async function runAction(store: Store, name: ActionName, data: Checked): Promise<unknown> {
  try {
    return await actionOf(name).run(store, data);
  } catch (error) {
    throw serviceErrorOf(error);
  }
}

/** @throws ServiceError ResourceNotFoundException */
export async function tableOf(
  store: Store,
  name: string,
  { active = true }: { readonly active?: boolean } = {},
): Promise<Table> {
  const table = promisify<string, boolean, Table | undefined>(store.getTable);
  try {
    // dynalite answers with a table or an error.
    return (await table(name, active)) as Table;
  } catch (error) {
    throw serviceErrorOf(error);
  }
}

export async function itemAt(store: Store, table: string, key: string): Promise<Item | undefined> {
  const items = store.getItemDb(table);
  return await promisify<string, Item | undefined>(items.get.bind(items))(key);
}

/** Encoded key of an item, or of a key alone. */
export function keyOf(itemOrKey: Item, table: Table): string {
  return db.createKey(itemOrKey, table);
}

/** Why the item or the key does not fit the table, or undefined where it does. */
export function misfitOf(
  data: { readonly Item?: Item; readonly Key?: Item },
  table: Table,
): string | undefined {
  const error =
    data.Item === undefined
      ? db.validateKey(data.Key ?? {}, table)
      : db.validateItem(data.Item, table);
  return error?.message;
}

/** Whether the condition of a checked request holds for the item that exists. */
export function conditionHolds(data: Checked, existing: Item | undefined): boolean {
  return !db.checkConditional(data, existing);
}

/** Bytes of an item as DynamoDB counts them; 0 where there is none. */
export function bytesOf(item: Item | undefined): number {
  return item === undefined ? 0 : db.itemSize(item);
}

/** Write units of an item outside of a transaction: one for each KiB begun, and at least one. */
export function writeUnitsOf(item: Item | undefined): number {
  return db.capacityUnits(item);
}

/** What precedes an item's key in the database. */
export function itemPrefix(table: string): string {
  return `item-${table}~`;
}

/** What precedes an index entry's key in the database. */
export function indexPrefix(kind: string, table: string, index: string): string {
  return `index-${kind.toLowerCase()}~${table}~${index}~`;
}

function actionOf(name: ActionName): {
  readonly run: (store: Store, data: unknown) => Promise<unknown>;
  readonly validation: Validation;
} {
  const action = actions.get(name);
  if (action === undefined) throw new RangeError(`Expected an action of dynalite, got \`${name}\``);
  return action;
}

/** dynalite's errors carry the answer's status and body; anything else is a defect, passed on. */
function serviceErrorOf(error: unknown): unknown {
  if (!(error instanceof Error && "statusCode" in error && "body" in error)) return error;
  const { __type, message, Message, ...fields } = error.body as Record<string, unknown>;
  return new ServiceError(String(__type), String(message ?? Message ?? ""), {
    status: Number(error.statusCode),
    fields,
  });
}
