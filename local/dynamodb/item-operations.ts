import * as v from "valibot";
import { type Operation, ServiceError } from "../http/aws-json.ts";
import { type ActionName, checked, runAction } from "./dynalite.ts";
import type { Store } from "./dynalite-store.ts";
import { conditionFailureSchema, isErrorOf, readRequest } from "./request.ts";
import { atomicStore, type Sighting, watchedStore } from "./store-view.ts";

/** Operations on items, and those that dynalite answers in full. */
export function itemOperations(store: Store): Readonly<Record<string, Operation>> {
  return {
    ...each(PASSED_ON, (name) => (input) => runAction(store, name, checked(store, name, input))),
    ...each(CONDITIONAL, (name) => (input) => writeItem(store, name, input)),
  };
}

const PASSED_ON = [
  "BatchGetItem",
  "BatchWriteItem",
  "GetItem",
  "ListTables",
  "ListTagsOfResource",
  "Query",
  "Scan",
  "TagResource",
  "UntagResource",
] as const satisfies readonly ActionName[];

const CONDITIONAL = [
  "DeleteItem",
  "PutItem",
  "UpdateItem",
] as const satisfies readonly ActionName[];

const requestSchema = v.object({ ReturnValuesOnConditionCheckFailure: conditionFailureSchema });

/** dynalite knows no ReturnValuesOnConditionCheckFailure: a refused condition gets its item here. */
async function writeItem(store: Store, name: ActionName, input: unknown): Promise<unknown> {
  const { ReturnValuesOnConditionCheckFailure: wanted } = readRequest(requestSchema, input);
  const data = checked(store, name, input);
  const atomic = atomicStore(store);
  if (wanted === "NONE") return runAction(atomic, name, data);
  const sighting: Sighting = {};
  try {
    return await runAction(watchedStore(atomic, sighting), name, data);
  } catch (error) {
    throw withItem(error, sighting);
  }
}

function withItem(error: unknown, { item }: Sighting): unknown {
  if (!isErrorOf(error, "ConditionalCheckFailedException") || item === undefined) return error;
  const { type, message, status, fields } = error;
  return new ServiceError(type, message, { status, fields: { ...fields, Item: item } });
}

function each<N extends string>(
  names: readonly N[],
  operationOf: (name: N) => Operation,
): Readonly<Record<string, Operation>> {
  return Object.fromEntries(names.map((name) => [name, operationOf(name)]));
}
