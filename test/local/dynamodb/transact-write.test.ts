import {
  type TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { key, type LocalTable, startLocalTable, TABLE } from "./local-table.ts";

let table: LocalTable;
let nowMs: number;

beforeEach(async () => {
  nowMs = 1_800_000_000_000;
  table = await startLocalTable({ now: () => nowMs });
});

afterEach(() => table.close());

function add(account: string, gold: number, least?: number): TransactWriteItem {
  return {
    Update: {
      TableName: TABLE,
      Key: key(account),
      UpdateExpression: "ADD gold :gold",
      ExpressionAttributeValues: {
        ":gold": { N: String(gold) },
        ...(least === undefined ? {} : { ":least": { N: String(least) } }),
      },
      ...(least === undefined ? {} : { ConditionExpression: "gold >= :least" }),
    },
  };
}

function putNew(account: string, gold: number): TransactWriteItem {
  return {
    Put: {
      TableName: TABLE,
      Item: { ...key(account), gold: { N: String(gold) } },
      ConditionExpression: "attribute_not_exists(account)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}

function check(account: string): TransactWriteItem {
  return {
    ConditionCheck: {
      TableName: TABLE,
      Key: key(account),
      ConditionExpression: "attribute_exists(account)",
    },
  };
}

function remove(account: string): TransactWriteItem {
  return { Delete: { TableName: TABLE, Key: key(account) } };
}

function transact(TransactItems: TransactWriteItem[], ClientRequestToken?: string) {
  const command = new TransactWriteItemsCommand({ TransactItems, ClientRequestToken });
  return table.client.send(command);
}

async function cancellation(items: TransactWriteItem[]) {
  const error = await transact(items).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "TransactionCanceledException" });
  return error as TransactionCanceledException;
}

describe("TransactWriteItems", () => {
  it("puts, updates and deletes together, and leaves a checked item as it is", async () => {
    await table.putGold("old", 1);
    await table.putGold("checked", 2);
    await transact([putNew("new", 3), add("counted", 4), remove("old"), check("checked")]);
    expect(await table.goldOf("new")).toBe(3);
    expect(await table.goldOf("counted")).toBe(4);
    expect(await table.goldOf("old")).toBeUndefined();
    expect(await table.goldOf("checked")).toBe(2);
  });

  it("writes nothing when one condition fails, and gives a reason for each action", async () => {
    await table.putGold("taken", 7);
    const error = await cancellation([
      add("innocent", 1),
      putNew("taken", 9),
      remove("taken2"),
      check("nobody"),
    ]);
    expect(error.message).toBe(
      "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, None, ConditionalCheckFailed]",
    );
    expect(error.CancellationReasons).toEqual([
      { Code: "None" },
      {
        Code: "ConditionalCheckFailed",
        Message: "The conditional request failed",
        Item: { account: { S: "taken" }, gold: { N: "7" } },
      },
      { Code: "None" },
      { Code: "ConditionalCheckFailed", Message: "The conditional request failed" },
    ]);
    expect(await table.goldOf("innocent")).toBeUndefined();
    expect(await table.goldOf("taken")).toBe(7);
  });

  it("cancels with ValidationError what cannot be applied to the item that is there", async () => {
    const text = {
      Put: { TableName: TABLE, Item: { ...key("text"), gold: { S: "none" } } },
    };
    await transact([text]);
    const error = await cancellation([putNew("new", 1), add("text", 1)]);
    expect(error.CancellationReasons?.map(({ Code }) => Code)).toEqual(["None", "ValidationError"]);
    expect(await table.goldOf("new")).toBeUndefined();
  });

  it("cancels with ValidationError a key that does not fit the table", async () => {
    const wrong = { Delete: { TableName: TABLE, Key: { account: { N: "1" } } } };
    const error = await cancellation([putNew("new", 1), wrong]);
    expect(error.CancellationReasons?.[1]).toEqual({
      Code: "ValidationError",
      Message: "The provided key element does not match the schema",
    });
    expect(await table.goldOf("new")).toBeUndefined();
  });

  it.each([
    { items: [add("a", 1), remove("a")], name: "ValidationException", why: "one item twice" },
    { items: [], name: "ValidationException", why: "no action" },
    {
      items: Array.from({ length: 101 }, (_, index) => add(`a${index}`, 1)),
      name: "ValidationException",
      why: "101 actions",
    },
    {
      items: [{ ...add("a", 1), ...remove("b") }],
      name: "ValidationException",
      why: "two actions in one",
    },
    {
      items: [add("a", 1), { Delete: { TableName: "Nowhere", Key: key("b") } }],
      name: "ResourceNotFoundException",
      why: "a table that is not there",
    },
  ])("refuses $why and writes nothing", async ({ items, name }) => {
    await expect(transact(items)).rejects.toMatchObject({ name });
    expect(await table.goldOf("a")).toBeUndefined();
  });

  it("takes 100 actions", async () => {
    await transact(Array.from({ length: 100 }, (_, index) => add(`a${index}`, index)));
    expect(await table.goldOf("a99")).toBe(99);
  });

  it.each([
    { items: 10, refused: false, why: "10 items of 400,000 bytes are under 4 MiB" },
    { items: 11, refused: true, why: "11 items of 400,000 bytes are over 4 MiB" },
  ])("counts the bytes of all items: $why", async ({ items, refused }) => {
    const puts = Array.from({ length: items }, (_, index) => ({
      Put: { TableName: TABLE, Item: { ...key(`a${index}`), text: { S: "x".repeat(400_000) } } },
    }));
    const outcome = await transact(puts).catch((error: Error) => error);
    expect(outcome instanceof Error && outcome.name === "ValidationException").toBe(refused);
  });

  it("says what it used: two units for each KiB of each item", async () => {
    const command = new TransactWriteItemsCommand({
      TransactItems: [add("a", 1), add("b", 1)],
      ReturnConsumedCapacity: "TOTAL",
    });
    expect((await table.client.send(command)).ConsumedCapacity).toEqual([
      { TableName: TABLE, CapacityUnits: 4, WriteCapacityUnits: 4 },
    ]);
  });

  it("keeps the sum of two accounts under 60 transfers at once, in both directions", async () => {
    await table.putGold("left", 20);
    await table.putGold("right", 20);
    const transfers = Array.from({ length: 60 }, (_, index) => {
      const [from, to] = index % 3 === 0 ? ["right", "left"] : ["left", "right"];
      return transact([add(from ?? "", -1, 1), add(to ?? "", 1)]);
    });
    const outcomes = await Promise.allSettled(transfers);
    const refused = outcomes.filter(({ status }) => status === "rejected");
    for (const outcome of refused) {
      expect(outcome).toMatchObject({ reason: { name: "TransactionCanceledException" } });
    }
    const left = (await table.goldOf("left")) ?? Number.NaN;
    const right = (await table.goldOf("right")) ?? Number.NaN;
    expect(left + right).toBe(40);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeGreaterThanOrEqual(0);
    const moved = (direction: number) =>
      outcomes.filter(
        ({ status }, index) => status === "fulfilled" && (index % 3 === 0) === direction > 0,
      ).length;
    expect(left).toBe(20 + moved(1) - moved(-1));
  });
});

describe("a ClientRequestToken", () => {
  it("makes a transaction that is sent again happen once, side by side too", async () => {
    const outcomes = Array.from({ length: 5 }, () => transact([add("a", 1)], "token"));
    await Promise.all(outcomes);
    await transact([add("a", 1)], "token");
    expect(await table.goldOf("a")).toBe(1);
  });

  it("is refused with another request", async () => {
    await transact([add("a", 1)], "token");
    await expect(transact([add("a", 2)], "token")).rejects.toMatchObject({
      name: "IdempotentParameterMismatchException",
    });
    expect(await table.goldOf("a")).toBe(1);
  });

  it("does not keep a cancelled transaction from being tried again", async () => {
    await cancellation([add("a", -1, 1)]);
    const spend = () => transact([add("a", -1, 1)], "token");
    await expect(spend()).rejects.toMatchObject({ name: "TransactionCanceledException" });
    await table.putGold("a", 5);
    await spend();
    expect(await table.goldOf("a")).toBe(4);
  });

  it("is forgotten after ten minutes", async () => {
    await transact([add("a", 1)], "token");
    nowMs += 600_000;
    await transact([add("a", 1)], "token");
    expect(await table.goldOf("a")).toBe(1);
    nowMs += 1;
    await transact([add("a", 1)], "token");
    expect(await table.goldOf("a")).toBe(2);
  });
});
