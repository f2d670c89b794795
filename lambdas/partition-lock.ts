import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CLIENT_OPTIONS } from "./aws/client-options.ts";
import {
  answerCloudFormation,
  type CustomResourceRequest,
  type Outcome,
} from "./aws/cloudformation-answer.ts";
import {
  BacklogRenamedError,
  lockPartitions,
  type PartitionLockItem,
  PartitionsChangedError,
} from "./aws/ledger/partition-lock-item.ts";

const client = new DynamoDBClient(CLIENT_OPTIONS);

/** Leaves time to answer within the function's 60 seconds, three tries included. */
const LOCK_TIMEOUT_MS = 25_000;

/**
 * The custom resource that holds a backlog to the partition count and name of its first deploy. Every request
 * is answered, so that no deploy waits for a time-out.
 */
export async function handler(request: CustomResourceRequest): Promise<void> {
  const outcome = await outcomeOf(request);
  console.log(
    JSON.stringify({ request: request.RequestType, ...request.ResourceProperties, outcome }),
  );
  await answerCloudFormation(request, physicalIdOf(request), outcome);
}

async function outcomeOf({
  RequestType,
  ResourceProperties,
}: CustomResourceRequest): Promise<Outcome> {
  // The lock outlives the stack, as the table and the queues do.
  if (RequestType === "Delete") return { status: "SUCCESS" };
  try {
    await lockPartitions(client, lockOf(ResourceProperties), {
      abortSignal: AbortSignal.timeout(LOCK_TIMEOUT_MS),
    });
    return { status: "SUCCESS" };
  } catch (error) {
    return { status: "FAILED", reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof PartitionsChangedError || error instanceof BacklogRenamedError) {
    return error.message;
  }
  return `The partition count could not be locked, so nothing was changed (${error}). Deploy again once the cause is gone`;
}

function lockOf(properties: CustomResourceRequest["ResourceProperties"]): PartitionLockItem {
  const { TableName: table, Partitions, Backlog: backlog } = properties;
  const partitions = Number(Partitions);
  const named = typeof table === "string" && typeof backlog === "string";
  if (!named || !Number.isSafeInteger(partitions) || partitions < 1) {
    throw new RangeError(
      `Expected a TableName, the Backlog's name and a whole number of Partitions, got ${JSON.stringify({ TableName: table, Backlog: backlog, Partitions })}. Deploy again`,
    );
  }
  return { table, partitions, backlog };
}

/** Must not change while the resource lives: a new id would tell CloudFormation that the old
 *  resource is to be deleted. */
function physicalIdOf({ PhysicalResourceId, LogicalResourceId }: CustomResourceRequest): string {
  return PhysicalResourceId ?? `backlogorder-partitions-${LogicalResourceId}`;
}
