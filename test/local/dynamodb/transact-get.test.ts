import { TransactGetItemsCommand, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { key, type LocalTable, startLocalTable, TABLE } from "./local-table.ts";

let table: LocalTable;

beforeEach(async () => {
  table = await startLocalTable();
});

afterEach(() => table.close());

function getTogether(...accounts: readonly string[]) {
  const TransactItems = accounts.map((account) => ({
    Get: { TableName: TABLE, Key: key(account) },
  }));
  return table.client.send(new TransactGetItemsCommand({ TransactItems }));
}

function setBoth(gold: number) {
  const TransactItems = ["left", "right"].map((account) => ({
    Put: { TableName: TABLE, Item: { ...key(account), gold: { N: String(gold) } } },
  }));
  return table.client.send(new TransactWriteItemsCommand({ TransactItems }));
}

describe("TransactGetItems", () => {
  it("answers in the order asked, with nothing where there is no item", async () => {
    await table.putGold("a", 1);
    await table.putGold("b", 2);
    const { Responses } = await getTogether("b", "nobody", "a");
    expect(Responses?.map(({ Item }) => Item?.["gold"]?.N)).toEqual(["2", undefined, "1"]);
  });

  it("never sees half of a transaction", async () => {
    await setBoth(0);
    const writes = Array.from({ length: 30 }, (_, index) => setBoth(index));
    const reads = Array.from({ length: 30 }, () => getTogether("left", "right"));
    await Promise.all(writes);
    for (const { Responses } of await Promise.all(reads)) {
      const [left, right] = Responses ?? [];
      expect(left?.Item?.["gold"]).toEqual(right?.Item?.["gold"]);
    }
  });

  it("refuses a table that is not there and more than 100 items", async () => {
    const Get = { TableName: "Nowhere", Key: key("a") };
    const nowhere = new TransactGetItemsCommand({ TransactItems: [{ Get }] });
    await expect(table.client.send(nowhere)).rejects.toMatchObject({
      name: "ResourceNotFoundException",
    });
    const many = Array.from({ length: 101 }, (_, index) => `a${index}`);
    await expect(getTogether(...many)).rejects.toMatchObject({ name: "ValidationException" });
  });
});
