import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  CreateTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { startDynamoDb } from "../../../local/dynamodb/server.ts";
import { accountsTable, clientOf, key, TABLE } from "./local-table.ts";

test("keeps all that was answered, and transactions whole, through a kill -9", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dynamodb-killed-"));
  const server = spawn(process.execPath, ["--input-type=module", "--eval", SERVER, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const client = clientOf({ url: await firstLineOf(server) });
  await client.send(new CreateTableCommand(accountsTable()));

  const answered: string[] = [];
  const write = async (lane: string, send: (name: string) => Promise<unknown>): Promise<void> => {
    for (let n = 0; ; n += 1) {
      await send(`${lane}${n}`);
      answered.push(`${lane}${n}`);
      if (answered.length === 100) server.kill("SIGKILL");
    }
  };
  await Promise.allSettled([
    write("single-", (name) => client.send(put(name))),
    write("left-", (name) => client.send(transaction(name))),
    write("right-", (name) => client.send(transaction(name))),
  ]);
  if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  client.destroy();

  const there = await accountsIn(folder);
  rmSync(folder, { recursive: true });
  const expected = answered.flatMap((name) => (name.startsWith("single") ? [name] : pair(name)));
  expect(expected.filter((name) => !there.has(name))).toEqual([]);
  const halves = [...there].filter((name) => !name.startsWith("single"));
  expect(halves.filter((name) => !there.has(otherHalf(name)))).toEqual([]);
});

function put(name: string): PutItemCommand {
  return new PutItemCommand({ TableName: TABLE, Item: key(name) });
}

const pair = (name: string): readonly string[] => [`${name}a`, `${name}b`];
const otherHalf = (name: string): string => `${name.slice(0, -1)}${name.endsWith("a") ? "b" : "a"}`;

function transaction(name: string): TransactWriteItemsCommand {
  const TransactItems = pair(name).map((half) => ({ Put: { TableName: TABLE, Item: key(half) } }));
  return new TransactWriteItemsCommand({ TransactItems });
}

async function accountsIn(path: string): Promise<ReadonlySet<string>> {
  const restored = await startDynamoDb({ path });
  const client: DynamoDBClient = clientOf(restored);
  const { Items = [] } = await client.send(new ScanCommand({ TableName: TABLE }));
  client.destroy();
  await restored.close();
  return new Set(Items.map(({ account }) => account?.S ?? ""));
}

const SERVER = `
import { startDynamoDb } from ${JSON.stringify(new URL("../../../local/dynamodb/server.ts", import.meta.url).href)};
const { url } = await startDynamoDb({ path: process.argv[1] });
console.log(url);
`;

async function firstLineOf(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error("Expected the server's output as a pipe, got none");
  const [line] = await once(createInterface(server.stdout), "line");
  return String(line);
}
