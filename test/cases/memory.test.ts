import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, it, onTestFinished } from "vitest";
import { DynamoLedger } from "../../lambdas/aws/ledger/ledger.ts";
import type { RecordRef } from "../../lambdas/core/ledger.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";
import { startDynamoDb } from "../../local/dynamodb/server.ts";

const START_MS = Date.UTC(2026, 0, 5, 12);
const DAY_MS = 86_400_000;

it("C22: knows an applied record 29 days later, and forgets it by the item's own expiry, swept or not", async () => {
  const server = await startDynamoDb();
  onTestFinished(() => server.close());
  const client = new DynamoDBClient({ endpoint: server.url });
  onTestFinished(() => client.destroy());
  await client.send(
    new CreateTableCommand({
      TableName: "ledger",
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({
        AttributeName,
        AttributeType: "S",
      })),
    }),
  );
  let nowMs = START_MS;
  const memorySeconds = settingsOf().ledgerMemorySeconds;
  const ledger = new DynamoLedger({ client, table: "ledger", nowMs: () => nowMs, memorySeconds });
  const record: RecordRef = {
    id: "a",
    key: "player:1",
    partition: 5,
    offset: "18860000000000000001",
    enqueuedAtMs: START_MS,
    generation: 0,
  };
  await ledger.markApplied(record);
  const stateAfter = async (days: number) => {
    nowMs = START_MS + days * DAY_MS;
    return (await ledger.standings([record]))[0]?.item?.state;
  };
  expect(await stateAfter(17)).toBe("applied");
  expect(await stateAfter(29)).toBe("applied");
  expect(await stateAfter(32)).toBeUndefined();
});
