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

/** A deploy that would rename the backlog. */
export class BacklogRenamedError extends Error {
  override readonly name = "BacklogRenamedError";

  constructor(stored: string, wanted: string) {
    super(
      `Expected the backlog's name to be ${stored}, as it was first deployed with, got ${wanted}. Publishers read /backlogorder/${stored} and alarms carry the name. Nothing was changed: deploy with name = ${stored}, or begin a new backlog beside it and move to it (docs/repartition.md)`,
    );
  }
}

/** What stays as it was first deployed, for the life of the ledger's table. */
export type PartitionLockItem = {
  readonly table: string;
  readonly partitions: number;
  /** The backlog's name. */
  readonly backlog: string;
};

/**
 * Writes the partition count and the name if there are none yet. The item has no expiry.
 * @throws PartitionsChangedError when another count is stored, BacklogRenamedError for another name.
 */
export async function lockPartitions(
  client: DynamoDBClient,
  { table, partitions, backlog }: PartitionLockItem,
  options: { readonly abortSignal?: AbortSignal } = {},
): Promise<void> {
  const refused = await updateUnlessRefused(
    client,
    {
      TableName: table,
      Key: PARTITIONS_LOCK,
      // `partitions` is one of DynamoDB's reserved words.
      UpdateExpression: "SET #partitions = :partitions, backlog = :backlog",
      ConditionExpression:
        "(attribute_not_exists(#partitions) OR #partitions = :partitions) AND (attribute_not_exists(backlog) OR backlog = :backlog)",
      ExpressionAttributeNames: { "#partitions": "partitions" },
      ExpressionAttributeValues: {
        ":partitions": { N: String(partitions) },
        ":backlog": { S: backlog },
      },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
    options,
  );
  if (refused === undefined) return;
  const stored = refused.item?.["partitions"]?.N;
  const name = refused.item?.["backlog"]?.S;
  if (stored === String(partitions) && name !== undefined) {
    throw new BacklogRenamedError(name, backlog);
  }
  throw new PartitionsChangedError(stored ?? "another number of", partitions);
}
