import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DeleteTableCommand,
  DescribeTimeToLiveCommand,
  ExecuteStatementCommand,
  GetItemCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, it, onTestFinished } from "vitest";
import { startDynamoDb } from "../../../local/dynamodb/server.ts";
import { clientOf, key, startLocalTable, TABLE } from "./local-table.ts";

describe("the embedded DynamoDB", () => {
  it("counts calls by operation, those that fail included", async () => {
    const table = await startLocalTable();
    onTestFinished(table.close);
    await table.putGold("a", 1);
    await table.goldOf("a");
    await table.goldOf("b");
    const nowhere = new GetItemCommand({ TableName: "Nowhere", Key: key("a") });
    await expect(table.client.send(nowhere)).rejects.toThrow("Requested resource not found");
    expect(table.server.calls()).toEqual({ CreateTable: 1, PutItem: 1, GetItem: 3 });
  });

  it("refuses by name what it does not have", async () => {
    const table = await startLocalTable();
    onTestFinished(table.close);
    const statement = new ExecuteStatementCommand({ Statement: "SELECT * FROM Accounts" });
    await expect(table.client.send(statement)).rejects.toMatchObject({
      name: "UnknownOperationException",
    });
  });

  it("keeps tables, items and settings in its folder", async () => {
    const path = await mkdtemp(join(tmpdir(), "dynamodb-"));
    onTestFinished(() => rm(path, { recursive: true }));
    const before = await startLocalTable({ path }, { DeletionProtectionEnabled: true });
    await before.putGold("a", 1);
    await before.client.send(
      new UpdateTimeToLiveCommand({
        TableName: TABLE,
        TimeToLiveSpecification: { Enabled: true, AttributeName: "endsAt" },
      }),
    );
    await before.close();

    const server = await startDynamoDb({ path });
    onTestFinished(server.close);
    const client = clientOf(server);
    onTestFinished(() => client.destroy());
    const { Item } = await client.send(new GetItemCommand({ TableName: TABLE, Key: key("a") }));
    expect(Item?.["gold"]).toEqual({ N: "1" });
    const told = await client.send(new DescribeTimeToLiveCommand({ TableName: TABLE }));
    expect(told.TimeToLiveDescription?.AttributeName).toBe("endsAt");
    await expect(client.send(new DeleteTableCommand({ TableName: TABLE }))).rejects.toMatchObject({
      name: "ValidationException",
    });
  });

  it("lets go of its folder when its port is taken", async () => {
    const path = await mkdtemp(join(tmpdir(), "dynamodb-"));
    onTestFinished(() => rm(path, { recursive: true }));
    const first = await startDynamoDb();
    onTestFinished(first.close);
    await expect(startDynamoDb({ port: first.port, path })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
    const second = await startDynamoDb({ path });
    await second.close();
  });
});
