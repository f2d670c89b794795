import type { Context, SQSEvent, SQSRecord } from "aws-lambda";
import { keyHash, partitionOf } from "../../lambdas/core/partition.ts";

/** Partition count of every contender's queue. */
export const PARTITIONS = 64;

/** Records of one batch: SQS FIFO hands out ten at most. */
export const BATCH_RECORDS = 10;

export type BatchShape = {
  /** Message groups among which the records are dealt, 1 to 10. */
  readonly groups: number;
  /** Records. @default 10 */
  readonly records?: number;
  /** Tells the ids of one batch from those of another. */
  readonly name: string;
  /** Receives of each record, this one included. @default 1 */
  readonly receives?: number;
};

/** One batch as Lambda hands it to a consumer. Ids have the length of a UUID. */
export function batchOf({
  groups,
  records = BATCH_RECORDS,
  name,
  receives = 1,
}: BatchShape): SQSEvent {
  const nowMs = String(Date.now());
  return {
    Records: Array.from({ length: records }, (_, place) =>
      recordOf(
        `${name}-${place}`,
        KEYS[place % groups] ?? "",
        offsetIn(name, place),
        receives,
        nowMs,
      ),
    ),
  };
}

/** Ten keys, no two of one partition. */
const KEYS: readonly string[] = ((): readonly string[] => {
  const keys = new Map<number, string>();
  for (let player = 0; keys.size < BATCH_RECORDS; player += 1) {
    keys.set(partitionOf(`player:${player}`, PARTITIONS), `player:${player}`);
  }
  return [...keys.values()];
})();

const FIRST_OFFSET = 18_860_000_000_000_000_000n;

/** No two batches share an offset: the ledger would take their entries for one. */
function offsetIn(batch: string, place: number): string {
  return String(FIRST_OFFSET + BigInt(4096 * keyHash(batch)) + BigInt(256 * place));
}

function recordOf(
  name: string,
  key: string,
  offset: string,
  receives: number,
  nowMs: string,
): SQSRecord {
  const id = name.padStart(36, "0");
  return {
    messageId: id,
    receiptHandle: `handle-${id}`,
    body: '{"type":"credit","amount":5}',
    attributes: {
      ApproximateReceiveCount: String(receives),
      SentTimestamp: nowMs,
      SenderId: "AIDAEXAMPLE",
      ApproximateFirstReceiveTimestamp: nowMs,
      MessageGroupId: String(partitionOf(key, PARTITIONS)),
      SequenceNumber: offset,
    },
    messageAttributes: {
      id: { dataType: "String", stringValue: id },
      key: { dataType: "String", stringValue: key },
      enqueuedAt: { dataType: "Number", stringValue: nowMs },
    },
    md5OfBody: "",
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:source.fifo",
    awsRegion: "us-east-1",
  };
}

/** What Lambda tells of one invocation, as far as a consumer looks. */
export const CONTEXT = {
  awsRequestId: "5ac0c1d2-0000-4000-8000-000000000000",
  functionName: "consumer",
  getRemainingTimeInMillis: () => 60_000,
} as Context;
