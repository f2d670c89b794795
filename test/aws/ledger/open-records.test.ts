import { DynamoDBClient, QueryCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import { listOpenRecords } from "../../../lambdas/aws/ledger/open-records.ts";

const NOW = 1_700_000_000_000;
const dynamo = mockClient(DynamoDBClient);
const ledger = { client: new DynamoDBClient({}), table: "ledger", nowMs: () => NOW };

beforeEach(() => {
  dynamo.reset();
});

function itemOf(id: string, state: string, enqueuedAt: number, expiresAt = 1_700_000_001) {
  return {
    id: { S: id },
    state: { S: state },
    enqueuedAt: { N: String(enqueuedAt) },
    expiresAt: { N: String(expiresAt) },
  };
}

const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);

describe("the list of open records", () => {
  it("reads every page of the index, longest published first, without what has expired", async () => {
    const LastEvaluatedKey = { pk: { S: "next" } };
    dynamo
      .on(ScanCommand)
      .resolvesOnce({ Items: [itemOf("young", "dead", 30)], LastEvaluatedKey })
      .resolvesOnce({ Items: [], LastEvaluatedKey })
      .resolves({
        Items: [itemOf("old", "retrying", 10), itemOf("gone", "dead", 5, 1_700_000_000)],
      });
    expect(idsOf(await listOpenRecords(ledger))).toEqual(["old", "young"]);
    expect(dynamo.commandCalls(ScanCommand)[0]?.args[0].input).toMatchObject({
      TableName: "ledger",
      IndexName: "open",
    });
    expect(dynamo.commandCalls(ScanCommand)[1]?.args[0].input.ExclusiveStartKey).toEqual(
      LastEvaluatedKey,
    );
  });

  it("takes one state where asked", async () => {
    dynamo
      .on(ScanCommand)
      .resolves({ Items: [itemOf("r", "retrying", 1), itemOf("d", "dead", 2)] });
    expect(idsOf(await listOpenRecords(ledger, { state: "dead" }))).toEqual(["d"]);
  });

  it("reads one partition only where asked, the partition 0 included", async () => {
    dynamo.on(QueryCommand).resolves({ Items: [itemOf("a", "dead", 1)] });
    expect(idsOf(await listOpenRecords(ledger, { partition: 0 }))).toEqual(["a"]);
    expect(dynamo.commandCalls(QueryCommand)[0]?.args[0].input).toMatchObject({
      IndexName: "open",
      KeyConditionExpression: "openPartition = :partition",
      ExpressionAttributeValues: { ":partition": { S: "0" } },
    });
    expect(dynamo.commandCalls(ScanCommand)).toHaveLength(0);
  });
});
