import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  ListTagsOfResourceCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateContinuousBackupsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import { afterEach, describe, expect, it } from "vitest";
import { accountsTable, key, type LocalTable, startLocalTable, TABLE } from "./local-table.ts";

let table: LocalTable;

afterEach(() => table.close());

const describeTable = async () =>
  (await table.client.send(new DescribeTableCommand({ TableName: TABLE }))).Table;

describe("CreateTable", () => {
  it("answers with a table that takes items at once", async () => {
    table = await startLocalTable();
    await table.putGold("a", 1);
    expect(await describeTable()).toMatchObject({
      TableStatus: "ACTIVE",
      BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" },
      DeletionProtectionEnabled: false,
    });
  });

  it("takes all that a CDK table is created with", async () => {
    table = await startLocalTable(
      {},
      {
        SSESpecification: { Enabled: true, SSEType: "KMS" },
        DeletionProtectionEnabled: true,
        TableClass: "STANDARD",
        Tags: [{ Key: "backlog", Value: "wallet" }],
        StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
        OnDemandThroughput: { MaxWriteRequestUnits: 100, MaxReadRequestUnits: 100 },
      },
    );
    const description = await describeTable();
    expect(description?.DeletionProtectionEnabled).toBe(true);
    const ResourceArn = description?.TableArn;
    const tags = await table.client.send(new ListTagsOfResourceCommand({ ResourceArn }));
    expect(tags.Tags).toEqual([{ Key: "backlog", Value: "wallet" }]);
  });

  it("refuses a name that is taken and leaves that table as it is", async () => {
    table = await startLocalTable({}, { DeletionProtectionEnabled: true });
    await expect(table.client.send(new CreateTableCommand(accountsTable()))).rejects.toMatchObject({
      name: "ResourceInUseException",
    });
    expect((await describeTable())?.DeletionProtectionEnabled).toBe(true);
  });
});

describe("a sparse index", () => {
  it("follows updates and transactions, and holds only items with its keys", async () => {
    table = await startLocalTable(
      {},
      {
        AttributeDefinitions: [
          { AttributeName: "account", AttributeType: "S" },
          { AttributeName: "debtor", AttributeType: "S" },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: "debtors",
            KeySchema: [{ AttributeName: "debtor", KeyType: "HASH" }],
            Projection: { ProjectionType: "ALL" },
          },
        ],
      },
    );
    const query = new QueryCommand({
      TableName: TABLE,
      IndexName: "debtors",
      KeyConditionExpression: "debtor = :yes",
      ExpressionAttributeValues: { ":yes": { S: "yes" } },
    });
    const debtors = async () =>
      (await table.client.send(query)).Items?.map(({ account }) => account?.S).toSorted();
    const mark = (account: string) => ({
      TableName: TABLE,
      Key: key(account),
      UpdateExpression: "SET debtor = :yes",
      ExpressionAttributeValues: { ":yes": { S: "yes" } },
    });
    await table.putGold("rich", 1);
    await table.client.send(new UpdateItemCommand(mark("a")));
    await table.client.send(
      new TransactWriteItemsCommand({
        TransactItems: [{ Update: mark("b") }, { Update: mark("c") }],
      }),
    );
    expect(await debtors()).toEqual(["a", "b", "c"]);
    const paid = { TableName: TABLE, Key: key("b"), UpdateExpression: "REMOVE debtor" };
    const gone = { TableName: TABLE, Key: key("c") };
    await table.client.send(
      new TransactWriteItemsCommand({ TransactItems: [{ Update: paid }, { Delete: gone }] }),
    );
    expect(await debtors()).toEqual(["a"]);
  });
});

describe("DeleteTable", () => {
  const remove = () => table.client.send(new DeleteTableCommand({ TableName: TABLE }));

  it("refuses a protected table until the protection is taken off", async () => {
    table = await startLocalTable({}, { DeletionProtectionEnabled: true });
    await table.putGold("a", 1);
    await expect(remove()).rejects.toMatchObject({
      name: "ValidationException",
      message: expect.stringContaining("protected against deletion"),
    });
    expect(await table.goldOf("a")).toBe(1);
    await table.client.send(
      new UpdateTableCommand({ TableName: TABLE, DeletionProtectionEnabled: false }),
    );
    await remove();
    await expect(describeTable()).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  });

  it("leaves nothing to a later table of the same name", async () => {
    table = await startLocalTable();
    await table.putGold("a", 1);
    await table.client.send(
      new UpdateContinuousBackupsCommand({
        TableName: TABLE,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    );
    await remove();
    await table.client.send(new CreateTableCommand(accountsTable()));
    expect(await table.goldOf("a")).toBeUndefined();
    const backups = await table.client.send(
      new DescribeContinuousBackupsCommand({ TableName: TABLE }),
    );
    expect(
      backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription
        ?.PointInTimeRecoveryStatus,
    ).toBe("DISABLED");
  });
});

describe("UpdateTable", () => {
  it("says that it adds no index instead of pretending to", async () => {
    table = await startLocalTable();
    const update = new UpdateTableCommand({
      TableName: TABLE,
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "debtors" } }],
    });
    await expect(table.client.send(update)).rejects.toMatchObject({ name: "ValidationException" });
  });
});

describe("continuous backups", () => {
  it("are told as they were set, and of no table that is not there", async () => {
    table = await startLocalTable();
    const update = (TableName: string) =>
      table.client.send(
        new UpdateContinuousBackupsCommand({
          TableName,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        }),
      );
    await update(TABLE);
    const told = await table.client.send(
      new DescribeContinuousBackupsCommand({ TableName: TABLE }),
    );
    expect(told.ContinuousBackupsDescription).toMatchObject({
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: "ENABLED" },
    });
    await expect(update("Nowhere")).rejects.toMatchObject({ name: "TableNotFoundException" });
  });
});
