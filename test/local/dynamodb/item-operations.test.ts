import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { key, type LocalTable, startLocalTable, TABLE } from "./local-table.ts";

let table: LocalTable;

beforeEach(async () => {
  table = await startLocalTable();
  await table.putGold("taken", 7);
});

afterEach(() => table.close());

const poor = {
  TableName: TABLE,
  ConditionExpression: "gold < :limit",
  ExpressionAttributeValues: { ":limit": { N: "5" } },
} as const;

const refused = (account: string, wanted: "ALL_OLD" | "NONE") => {
  const common = { ...poor, ReturnValuesOnConditionCheckFailure: wanted };
  return [
    new PutItemCommand({ ...common, Item: key(account) }),
    new UpdateItemCommand({ ...common, Key: key(account), UpdateExpression: "REMOVE gold" }),
    new DeleteItemCommand({ ...common, Key: key(account) }),
  ];
};

async function refusals(account: string, wanted: "ALL_OLD" | "NONE") {
  const errors: unknown[] = [];
  for (const command of refused(account, wanted)) {
    // The three inputs have no common type that `send` takes.
    errors.push(await table.client.send(command as PutItemCommand).catch((error) => error));
  }
  for (const error of errors) expect(error).toBeInstanceOf(ConditionalCheckFailedException);
  return errors.map((error) => (error as ConditionalCheckFailedException).Item);
}

describe("ReturnValuesOnConditionCheckFailure", () => {
  it("shows the item that stood in the way of a put, an update and a delete", async () => {
    const item = { ...key("taken"), gold: { N: "7" } };
    expect(await refusals("taken", "ALL_OLD")).toEqual([item, item, item]);
    expect(await table.goldOf("taken")).toBe(7);
  });

  it("shows nothing where there is no item, or where nothing is asked for", async () => {
    const nothing = [undefined, undefined, undefined];
    expect(await refusals("nobody", "ALL_OLD")).toEqual(nothing);
    expect(await refusals("taken", "NONE")).toEqual(nothing);
  });

  it("does not stand in the way of a write whose condition holds", async () => {
    const update = new UpdateItemCommand({
      TableName: TABLE,
      Key: key("taken"),
      UpdateExpression: "ADD gold :one",
      ConditionExpression: "attribute_exists(account)",
      ExpressionAttributeValues: { ":one": { N: "1" } },
      ReturnValues: "ALL_NEW",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    expect((await table.client.send(update)).Attributes?.["gold"]).toEqual({ N: "8" });
  });
});

describe("items", () => {
  it("count every one of 100 updates that arrive at once", async () => {
    const update = () =>
      new UpdateItemCommand({
        TableName: TABLE,
        Key: key("counter"),
        UpdateExpression: "ADD gold :one",
        ExpressionAttributeValues: { ":one": { N: "1" } },
      });
    await Promise.all(Array.from({ length: 100 }, () => table.client.send(update())));
    expect(await table.goldOf("counter")).toBe(100);
  });

  it("are found by a query, whose errors are the SDK's own", async () => {
    const query = (KeyConditionExpression: string) =>
      table.client.send(
        new QueryCommand({
          TableName: TABLE,
          KeyConditionExpression,
          ExpressionAttributeValues: { ":account": { S: "taken" } },
        }),
      );
    expect((await query("account = :account")).Items).toHaveLength(1);
    await expect(query("account = :other")).rejects.toMatchObject({
      name: "ValidationException",
      message: expect.stringContaining(":other"),
    });
  });
});
