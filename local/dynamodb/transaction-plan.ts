import * as v from "valibot";
import { type ActionName, type Checked, checked, keyOf, misfitOf, tableOf } from "./dynalite.ts";
import type { Item, Store } from "./dynalite-store.ts";
import type { ItemPlace } from "./item-locks.ts";
import { conditionFailureSchema, readRequest, validationError } from "./request.ts";

/** Actions of one transaction.
 *  https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const ACTIONS_MAX = 100;

/** One action of a transaction, ready to run on an item. */
export type PlannedAction = ItemPlace & {
  readonly kind: "ready";
  /** Undefined for a ConditionCheck, which only looks. */
  readonly action: ActionName | undefined;
  readonly data: Checked;
  /** Whether a refused condition is to show the item that stood in the way. */
  readonly returnsOld: boolean;
};

/** An action whose key does not fit its table. */
export type InvalidAction = { readonly kind: "invalid"; readonly reason: string };

/** Fits the actions of a TransactWriteItems request to their tables, in their order.
 *  @throws ServiceError where a request is malformed or a table is missing. */
export function planWrites(
  store: Store,
  items: unknown,
): Promise<readonly (PlannedAction | InvalidAction)[]> {
  const actions = readRequest(writesSchema, items);
  return Promise.all(actions.map((action) => planWrite(store, action)));
}

/** The same for TransactGetItems. */
export function planReads(
  store: Store,
  items: unknown,
): Promise<readonly (PlannedAction | InvalidAction)[]> {
  const actions = readRequest(readsSchema, items);
  return Promise.all(
    actions.map(({ Get }) => place(store, "GetItem", checked(store, "GetItem", Get), false)),
  );
}

const bodySchema = v.looseObject({ ReturnValuesOnConditionCheckFailure: conditionFailureSchema });

const writeSchema = v.pipe(
  v.looseObject({
    ConditionCheck: v.optional(bodySchema),
    Put: v.optional(bodySchema),
    Delete: v.optional(bodySchema),
    Update: v.optional(bodySchema),
  }),
  v.check(
    (action) => Object.keys(action).length === 1,
    "TransactItems can only contain one of Check, Put, Update or Delete",
  ),
);

const writesSchema = listOf(writeSchema);
const readsSchema = listOf(v.object({ Get: v.looseObject({}) }));

function listOf<S extends v.GenericSchema>(
  schema: S,
): v.GenericSchema<unknown, readonly v.InferOutput<S>[]> {
  return v.pipe(
    v.array(schema),
    v.minLength(1, "Member must have length greater than or equal to 1"),
    v.maxLength(ACTIONS_MAX, `Member must have length less than or equal to ${ACTIONS_MAX}`),
  );
}

/** dynalite has no ConditionCheck; a delete that is not run has the same fields. */
const ACTION_OF = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "DeleteItem",
} as const satisfies Readonly<Record<string, ActionName>>;

function planWrite(
  store: Store,
  action: v.InferOutput<typeof writeSchema>,
): Promise<PlannedAction | InvalidAction> {
  const [name, body] = Object.entries(action)[0] ?? [];
  if (!isWriteKind(name) || typeof body !== "object" || body === null) {
    throw validationError(`Expected Put, Update, Delete or ConditionCheck, got \`${name}\``);
  }
  const { ReturnValuesOnConditionCheckFailure: wanted, ...request } = readRequest(bodySchema, body);
  if (name === "ConditionCheck" && request["ConditionExpression"] === undefined) {
    throw validationError("The ConditionExpression of a ConditionCheck must not be null");
  }
  const data = checked(store, ACTION_OF[name], request);
  const run = name === "ConditionCheck" ? undefined : ACTION_OF[name];
  return place(store, run, data, wanted === "ALL_OLD");
}

function isWriteKind(name: string | undefined): name is keyof typeof ACTION_OF {
  return name !== undefined && Object.hasOwn(ACTION_OF, name);
}

async function place(
  store: Store,
  action: ActionName | undefined,
  data: Checked,
  returnsOld: boolean,
): Promise<PlannedAction | InvalidAction> {
  const table = await tableOf(store, data.TableName);
  const target = data as { readonly Item?: Item; readonly Key?: Item };
  const reason = misfitOf(target, table);
  if (reason !== undefined) return { kind: "invalid", reason };
  const key = keyOf(target.Item ?? target.Key ?? {}, table);
  return { kind: "ready", action, data, returnsOld, table: data.TableName, key };
}
