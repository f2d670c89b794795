import { CreateTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { OPEN_INDEX } from "../../lambdas/aws/ledger/ledger-keys.ts";

/** The ledger's table with its index, for tests that do without the stack. */
export async function createLedgerTable(client: DynamoDBClient, table: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keySchema("pk", "sk"),
      AttributeDefinitions: ["pk", "sk", "openPartition", "openOffset"].map((AttributeName) => ({
        AttributeName,
        AttributeType: "S",
      })),
      GlobalSecondaryIndexes: [
        {
          IndexName: OPEN_INDEX,
          KeySchema: keySchema("openPartition", "openOffset"),
          Projection: { ProjectionType: "ALL" },
        },
      ],
    }),
  );
}

function keySchema(hash: string, range: string) {
  return [
    { AttributeName: hash, KeyType: "HASH" as const },
    { AttributeName: range, KeyType: "RANGE" as const },
  ];
}
