import { ServiceError } from "../http/aws-json.ts";
import { type CancellationReason, cancelled, NO_REASON } from "./cancellation.ts";
import {
  bytesOf,
  conditionHolds,
  itemAt,
  itemPrefix,
  runAction,
  writeUnitsOf,
} from "./dynalite.ts";
import type { BatchWrite, Item, Store } from "./dynalite-store.ts";
import { withItemsLocked } from "./item-locks.ts";
import { validationError } from "./request.ts";
import { bufferedStore } from "./store-view.ts";
import { type PlannedAction, planWrites } from "./transaction-plan.ts";

/** Bytes of all items that one transaction touches.
 *  https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html */
export const TRANSACTION_BYTES_MAX = 4 * 1024 * 1024;

/** Write units that a transaction used, by table. */
export type UnitsByTable = ReadonlyMap<string, number>;

/**
 * Applies all actions of a TransactWriteItems request, or none. Each action runs against a buffer
 * while the items are locked, and one batch of the database commits them. Where DynamoDB cancels a
 * transaction with TransactionConflict because another holds an item, this one waits its turn.
 * @throws ServiceError TransactionCanceledException with a reason for each action.
 */
export async function transactWrite(store: Store, items: unknown): Promise<UnitsByTable> {
  const plan = await planWrites(store, items);
  const ready = plan.filter((action) => action.kind === "ready");
  if (ready.length < plan.length) {
    throw cancelled(plan.map((action) => (action.kind === "ready" ? NO_REASON : invalid(action))));
  }
  if (new Set(ready.map(({ table, key }) => itemPrefix(table) + key)).size < ready.length) {
    throw validationError("Transaction request cannot include multiple operations on one item");
  }
  return withItemsLocked(store, ready, () => applyAll(store, ready));
}

async function applyAll(store: Store, actions: readonly PlannedAction[]): Promise<UnitsByTable> {
  const writes = new Map<string, BatchWrite>();
  const outcomes: Outcome[] = [];
  for (const action of actions) outcomes.push(await tryAction(store, writes, action));
  const reasons = outcomes.map(({ reason }) => reason);
  if (reasons.some((reason) => reason !== NO_REASON)) throw cancelled(reasons);
  const bytes = outcomes.reduce((sum, outcome) => sum + outcome.bytes, 0);
  if (bytes > TRANSACTION_BYTES_MAX) {
    throw validationError(
      `Expected the items of a transaction to have at most ${TRANSACTION_BYTES_MAX} bytes, got ${bytes}`,
    );
  }
  await store.db.batch([...writes.values()]);
  return unitsByTable(actions, outcomes);
}

/** What one action came to; `bytes` and `units` are of the larger of the item before and after. */
type Outcome = {
  readonly reason: CancellationReason;
  readonly bytes: number;
  readonly units: number;
};

async function tryAction(
  store: Store,
  writes: Map<string, BatchWrite>,
  { action, data, table, key, returnsOld }: PlannedAction,
): Promise<Outcome> {
  const before = await itemAt(store, table, key);
  if (!conditionHolds(data, before)) {
    return outcome(conditionFailed(returnsOld ? before : undefined), before);
  }
  if (action === undefined) return outcome(NO_REASON, before);
  try {
    await runAction(bufferedStore(store, writes), action, data);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return outcome(invalid({ reason: error.message }), before);
  }
  const write = writes.get(itemPrefix(table) + key);
  return outcome(NO_REASON, before, write?.type === "put" ? (write.value as Item) : undefined);
}

function outcome(reason: CancellationReason, before?: Item, after?: Item): Outcome {
  return {
    reason,
    bytes: Math.max(bytesOf(before), bytesOf(after)),
    units: Math.max(writeUnitsOf(before), writeUnitsOf(after)),
  };
}

function conditionFailed(item: Item | undefined): CancellationReason {
  return {
    Code: "ConditionalCheckFailed",
    Message: "The conditional request failed",
    ...(item === undefined ? {} : { Item: item }),
  };
}

function invalid({ reason }: { readonly reason: string }): CancellationReason {
  return { Code: "ValidationError", Message: reason };
}

/** A transaction writes each item twice: once to prepare, once to commit. */
function unitsByTable(
  actions: readonly PlannedAction[],
  outcomes: readonly Outcome[],
): UnitsByTable {
  const units = new Map<string, number>();
  for (const [index, { table }] of actions.entries()) {
    units.set(table, (units.get(table) ?? 0) + 2 * (outcomes[index]?.units ?? 0));
  }
  return units;
}
