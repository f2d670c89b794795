import { CreateTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Index } from "./write-units.ts";

/** A contender's table. All its keys are text. */
export type MeasuredTable = {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  readonly index?: Index & { readonly name: string };
};

/** Creates it on an embedded DynamoDB. */
export async function createTable(
  client: DynamoDBClient,
  { name, partitionKey, sortKey, index }: MeasuredTable,
): Promise<void> {
  const keys = [partitionKey, sortKey, index?.partitionKey, index?.sortKey];
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keySchema(partitionKey, sortKey),
      AttributeDefinitions: keys
        .filter((key) => key !== undefined)
        .map((AttributeName) => ({ AttributeName, AttributeType: "S" as const })),
      ...(index && {
        GlobalSecondaryIndexes: [
          {
            IndexName: index.name,
            KeySchema: keySchema(index.partitionKey, index.sortKey),
            Projection: { ProjectionType: "ALL" as const },
          },
        ],
      }),
    }),
  );
}

type KeyPart = { readonly AttributeName: string; readonly KeyType: "HASH" | "RANGE" };

function keySchema(partitionKey: string, sortKey: string | undefined): KeyPart[] {
  const hash: KeyPart = { AttributeName: partitionKey, KeyType: "HASH" };
  return sortKey === undefined ? [hash] : [hash, { AttributeName: sortKey, KeyType: "RANGE" }];
}
