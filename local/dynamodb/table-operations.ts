import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import type { Operation } from "../http/aws-json.ts";
import { checked, runAction, tableOf } from "./dynalite.ts";
import type { Store, Table } from "./dynalite-store.ts";
import { isErrorOf, readRequest, validationError } from "./request.ts";
import { changeSettings, forgetSettings, settingsOfTable } from "./table-settings.ts";

/** Operations on whole tables. Where DynamoDB takes seconds to create, change or delete one, it is
 *  done here when the answer comes. */
export function tableOperations(store: Store): Readonly<Record<string, Operation>> {
  return {
    CreateTable: (input) => createTable(store, input),
    DescribeTable: (input) => describeTable(store, input),
    UpdateTable: (input) => updateTable(store, input),
    DeleteTable: (input) => deleteTable(store, input),
  };
}

const createSchema = v.object({
  DeletionProtectionEnabled: v.optional(v.boolean(), false),
  Tags: v.optional(v.array(v.object({ Key: v.string(), Value: v.string() })), []),
});

/** Encryption, streams, table class and throughput limits are accepted and have no effect. */
async function createTable(store: Store, input: unknown): Promise<unknown> {
  const { DeletionProtectionEnabled: protectedTable, Tags } = readRequest(createSchema, input);
  const data = checked(store, "CreateTable", input);
  const name = data.TableName;
  const created = await runAction(store, "CreateTable", data);
  await changeSettings(store, name, { deletionProtection: protectedTable });
  if (Tags.length > 0) {
    const { TableArn: ResourceArn } = tableDescription(created);
    const tags = checked(store, "TagResource", { ResourceArn, Tags });
    await runAction(store, "TagResource", tags);
  }
  await untilActive(store, name);
  return { TableDescription: await describe(store, name) };
}

async function describeTable(store: Store, input: unknown): Promise<unknown> {
  const { TableName } = checked(store, "DescribeTable", input);
  return { Table: await describe(store, TableName) };
}

const updateSchema = v.looseObject({
  TableName: v.string(),
  DeletionProtectionEnabled: v.optional(v.boolean()),
  GlobalSecondaryIndexUpdates: v.optional(v.array(v.record(v.string(), v.unknown())), []),
});

/** What dynalite can change by itself; a request with none of these goes no further than us. */
const CHANGED_BY_DYNALITE = ["BillingMode", "ProvisionedThroughput", "GlobalSecondaryIndexUpdates"];

async function updateTable(store: Store, input: unknown): Promise<unknown> {
  const request = readRequest(updateSchema, input);
  const { TableName: name, DeletionProtectionEnabled: protect } = request;
  if (request.GlobalSecondaryIndexUpdates.some((update) => update["Update"] === undefined)) {
    throw validationError(
      `The embedded DynamoDB adds and removes no index of a table that exists: create ${name} with its indexes`,
    );
  }
  await tableOf(store, name, { active: false });
  if (CHANGED_BY_DYNALITE.some((field) => Object.hasOwn(Object(input), field))) {
    await runAction(store, "UpdateTable", checked(store, "UpdateTable", input));
    await untilActive(store, name);
  }
  if (protect !== undefined) await changeSettings(store, name, { deletionProtection: protect });
  return { TableDescription: await describe(store, name) };
}

async function deleteTable(store: Store, input: unknown): Promise<unknown> {
  const data = checked(store, "DeleteTable", input);
  const name = data.TableName;
  if ((await settingsOfTable(store, name)).deletionProtection) {
    throw validationError(
      "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.",
    );
  }
  const deleted = await runAction(store, "DeleteTable", data);
  await forgetSettings(store, name);
  await until(async () => (await statusOf(store, name)) === undefined);
  return deleted;
}

async function describe(store: Store, name: string): Promise<Table> {
  const table = await tableOf(store, name, { active: false });
  const { deletionProtection } = await settingsOfTable(store, name);
  return { ...table, DeletionProtectionEnabled: deletionProtection };
}

function tableDescription(answer: unknown): Table {
  return (answer as { readonly TableDescription: Table }).TableDescription;
}

function untilActive(store: Store, name: string): Promise<void> {
  return until(async () => (await statusOf(store, name)) === "ACTIVE");
}

/** Undefined where there is no such table. */
async function statusOf(store: Store, name: string): Promise<string | undefined> {
  try {
    return (await tableOf(store, name, { active: false })).TableStatus;
  } catch (error) {
    if (isErrorOf(error, "ResourceNotFoundException")) return undefined;
    throw error;
  }
}

/** dynalite sets the final state by a timer of its own, of no delay, that tells nobody. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(1);
}
