import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { updateUnlessRefused } from "./conditional-update.ts";
import { PARTITIONS_LOCK } from "./ledger-keys.ts";

/** A deploy with another partition count than the first one. */
export class PartitionsChangedError extends Error {
  override readonly name = "PartitionsChangedError";

  constructor(stored: string, wanted: number) {
    super(
      `Expected ${stored} partitions, as this backlog was first deployed with, got ${wanted}. Another count would move keys to other partitions and break their order. Nothing was changed: deploy with partitions = ${stored}, or follow docs/repartition.md (two generations side by side)`,
    );
  }
}

/**
 * Writes the partition count if there is none yet. The item has no expiry.
 * @throws PartitionsChangedError when another count is stored.
 */
export async function lockPartitions(
  client: DynamoDBClient,
  { table, partitions }: { readonly table: string; readonly partitions: number },
  options: { readonly abortSignal?: AbortSignal } = {},
): Promise<void> {
  const refused = await updateUnlessRefused(
    client,
    {
      TableName: table,
      Key: PARTITIONS_LOCK,
      // `partitions` is one of DynamoDB's reserved words.
      UpdateExpression: "SET #partitions = :partitions",
      ConditionExpression: "attribute_not_exists(#partitions) OR #partitions = :partitions",
      ExpressionAttributeNames: { "#partitions": "partitions" },
      ExpressionAttributeValues: { ":partitions": { N: String(partitions) } },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
    options,
  );
  if (refused === undefined) return;
  throw new PartitionsChangedError(
    refused.item?.["partitions"]?.N ?? "another number of",
    partitions,
  );
}
