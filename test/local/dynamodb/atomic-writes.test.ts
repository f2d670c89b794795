import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../../../local/dynamodb/dynalite.ts";
import type { Database, Store } from "../../../local/dynamodb/dynalite-store.ts";
import { itemOperations } from "../../../local/dynamodb/item-operations.ts";
import { tableOperations } from "../../../local/dynamodb/table-operations.ts";
import { transactionOperations } from "../../../local/dynamodb/transaction-operations.ts";

// A kill between two writes of the database leaves the first one. Here the database fails from its
// second write on, and is then opened anew.

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dynamodb-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const INDEX = "byGuild";

type Operations = ReturnType<typeof itemOperations>;

async function opened<T>(run: (operations: Operations, store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(folder);
  try {
    const operations = {
      ...itemOperations(store),
      ...tableOperations(store),
      ...transactionOperations(store, Date.now),
    };
    return await run(operations, store);
  } finally {
    await store.db.close();
  }
}

async function call(operations: Operations, name: string, input: object): Promise<unknown> {
  return await operations[name]?.(input, undefined as never);
}

function dieAfterFirstWrite(db: Database): void {
  let writes = 0;
  for (const name of ["put", "del", "batch"] as const) {
    const write = db[name] as (...args: unknown[]) => Promise<void>;
    const mortal = async (...args: unknown[]): Promise<void> => {
      writes += 1;
      const callback = args.findLast((arg) => typeof arg === "function");
      if (writes === 1) return write.apply(db, args);
      const killed = new Error("killed");
      if (callback === undefined) throw killed;
      callback(killed);
    };
    (db as Record<typeof name, unknown>)[name] = mortal;
  }
}

const item = (guild: string) => ({ player: { S: "p1" }, guild: { S: guild } });
const Key = { player: { S: "p1" } };

async function begin(): Promise<void> {
  await opened(async (operations) => {
    await call(operations, "CreateTable", {
      TableName: "Players",
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: ["player", "guild"].map((AttributeName) => ({
        AttributeName,
        AttributeType: "S",
      })),
      KeySchema: [{ AttributeName: "player", KeyType: "HASH" }],
      GlobalSecondaryIndexes: [
        {
          IndexName: INDEX,
          KeySchema: [{ AttributeName: "guild", KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
        },
      ],
    });
    await call(operations, "PutItem", { TableName: "Players", Item: item("wolves") });
  });
}

async function guilds(IndexName?: string): Promise<readonly (string | undefined)[]> {
  const { Items } = (await opened((operations) =>
    call(operations, "Scan", { TableName: "Players", ...(IndexName && { IndexName }) }),
  )) as { readonly Items: readonly { readonly guild?: { readonly S: string } }[] };
  return Items.map(({ guild }) => guild?.S);
}

const move = {
  UpdateExpression: "SET guild = :guild",
  ExpressionAttributeValues: { ":guild": { S: "bears" } },
};

test.each([
  { operation: "PutItem", input: { TableName: "Players", Item: item("bears") } },
  { operation: "UpdateItem", input: { TableName: "Players", Key, ...move } },
  { operation: "DeleteItem", input: { TableName: "Players", Key } },
  {
    operation: "PutItem",
    input: {
      TableName: "Players",
      Item: item("bears"),
      ConditionExpression: "guild = :wolves",
      ExpressionAttributeValues: { ":wolves": { S: "wolves" } },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  },
  {
    operation: "TransactWriteItems",
    input: { TransactItems: [{ Update: { TableName: "Players", Key, ...move } }] },
  },
])("$operation writes an item and its index entries as one", async ({ operation, input }) => {
  await begin();
  await opened(async (operations, { db }) => {
    dieAfterFirstWrite(db);
    await call(operations, operation, input).catch(() => undefined);
  });
  expect(await guilds(INDEX)).toEqual(await guilds());
});

test("TransactWriteItems writes all its items as one", async () => {
  await begin();
  const players = ["p1", "p2", "p3"];
  await opened(async (operations, { db }) => {
    dieAfterFirstWrite(db);
    const TransactItems = players.map((player) => ({
      Update: { TableName: "Players", Key: { player: { S: player } }, ...move },
    }));
    await call(operations, "TransactWriteItems", { TransactItems }).catch(() => undefined);
  });
  expect([["wolves"], players.map(() => "bears")]).toContainEqual(await guilds());
});
