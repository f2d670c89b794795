import { type AttributeValue, DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { startDynamoDb } from "../../local/dynamodb/server.ts";
import { type Answer, listen } from "../../local/http/server.ts";
import { createTable, type MeasuredTable } from "./create-table.ts";
import { LOCAL_ACCESS } from "./local-access.ts";
import { type Item, writeUnits } from "./write-units.ts";

/** What a stretch of work cost. */
export type Counts = {
  /** HTTP requests, repetitions of the SDK included. */
  readonly calls: number;
  /** Requests by operation name. */
  readonly operations: Readonly<Record<string, number>>;
  readonly writeUnits: number;
  /** Strongly consistent read units: every item here is below 4 KB. */
  readonly readUnits: number;
};

/** A DynamoDB that counts what reaches it by HTTP. */
export type CountedDynamoDb = {
  /** Speaks to it through the SDK's whole stack. */
  readonly client: DynamoDBClient;
  /** Counts of what `work` does. One at a time. */
  countsOf(work: () => Promise<unknown>): Promise<Counts>;
  close(): Promise<void>;
};

/** Starts the embedded DynamoDB, its conditions included, behind a loopback server that counts. */
export async function startCountedDynamoDb(
  tables: readonly MeasuredTable[],
): Promise<CountedDynamoDb> {
  const store = await startDynamoDb();
  const direct = new DynamoDBClient({ endpoint: store.url, ...LOCAL_ACCESS });
  for (const table of tables) await createTable(direct, table);
  let tally = emptyTally();
  const server = await listen(async (request, body) => {
    const target = String(request.headers["x-amz-target"]);
    const operation = target.slice(target.indexOf(".") + 1);
    const input = JSON.parse(body.toString());
    const writes = writesOf(operation, input);
    const before = await Promise.all(writes.map((write) => itemOf(direct, write)));
    const answer = await forward(store.url, target, body);
    const after = await Promise.all(writes.map((write) => itemOf(direct, write)));
    tally.operations[operation] = (tally.operations[operation] ?? 0) + 1;
    tally.readUnits += readUnitsOf(operation, input);
    // A write in a transaction costs twice.
    const weight = operation === "TransactWriteItems" ? 2 : 1;
    for (const [place, { TableName }] of writes.entries()) {
      const index = tables.find(({ name }) => name === TableName)?.index;
      const indexes = index === undefined ? [] : [index];
      tally.writeUnits += weight * writeUnits(before[place], after[place], indexes);
    }
    return answer;
  });
  return {
    client: new DynamoDBClient({ endpoint: server.url, ...LOCAL_ACCESS }),
    async countsOf(work): Promise<Counts> {
      const counted = emptyTally();
      tally = counted;
      await work();
      // What comes later is not of this work.
      tally = emptyTally();
      const calls = Object.values(counted.operations).reduce((sum, each) => sum + each, 0);
      return { calls, ...counted };
    },
    async close(): Promise<void> {
      await server.close();
      await store.close();
    },
  };
}

type Tally = { operations: Record<string, number>; writeUnits: number; readUnits: number };

function emptyTally(): Tally {
  return { operations: {}, writeUnits: 0, readUnits: 0 };
}

type Write = { readonly TableName: string; readonly Key: Item };

// biome-ignore lint/suspicious/noExplicitAny: the input of any operation.
function writesOf(operation: string, input: any): readonly Write[] {
  switch (operation) {
    case "PutItem":
      return [putOf(input)];
    case "UpdateItem":
    case "DeleteItem":
      return [input];
    case "TransactWriteItems":
      return input.TransactItems.map(
        // biome-ignore lint/suspicious/noExplicitAny: one of its items.
        ({ Put, Update, Delete, ConditionCheck }: any) =>
          Update ?? Delete ?? ConditionCheck ?? putOf(Put),
      );
    default:
      return [];
  }
}

/** A contender's tables have one key attribute, `id`, where it writes whole items. */
function putOf({
  TableName,
  Item: { id },
}: {
  readonly TableName: string;
  readonly Item: { readonly id: AttributeValue };
}): Write {
  return { TableName, Key: { id } };
}

async function itemOf(
  client: DynamoDBClient,
  { TableName, Key }: Write,
): Promise<Item | undefined> {
  const read = new GetItemCommand({ TableName, Key, ConsistentRead: true });
  return (await client.send(read)).Item;
}

// biome-ignore lint/suspicious/noExplicitAny: the input of any operation.
function readUnitsOf(operation: string, input: any): number {
  switch (operation) {
    case "GetItem":
    case "Query":
      return 1;
    case "BatchGetItem":
      return Object.values<{ Keys: readonly unknown[] }>(input.RequestItems).reduce(
        (sum, { Keys }) => sum + Keys.length,
        0,
      );
    default:
      return 0;
  }
}

async function forward(url: string, target: string, body: Buffer): Promise<Answer> {
  const contentType = "application/x-amz-json-1.0";
  const headers = { "x-amz-target": target, "content-type": contentType };
  const response = await fetch(url, { method: "POST", headers, body: new Uint8Array(body) });
  return { status: response.status, contentType, body: await response.text() };
}
