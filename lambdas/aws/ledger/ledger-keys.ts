import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { paddedOffset } from "../../core/wire/offset.ts";

/** Sparse index over records that are retrying or dead. */
export const OPEN_INDEX = "open";

export type Key = { readonly pk: AttributeValue.SMember; readonly sk: AttributeValue.SMember };

export function recordKey(id: string): Key {
  return keyOf(`record#${id}`, "state");
}

export function entryKey(partition: number, smallestOffset: string): Key {
  return keyOf(entriesOf(partition), `${ENTRY_PREFIX}${paddedOffset(smallestOffset)}`);
}

/** Partition key under which a partition's batch entries stand, by offset. */
export function entriesOf(partition: number): string {
  return `partition#${partition}`;
}

export const ENTRY_PREFIX = "offset#";

/** The one lease that a running replay holds. */
export const REPLAY_LOCK: Key = keyOf("lock", "replay");

/** The partition count, stored at the first deploy. */
export const PARTITIONS_LOCK: Key = keyOf("lock", "partitions");

/** Index keys of a record that is retrying or dead. Unknown offsets sort behind the known ones. */
export function openKeys(
  partition: number,
  offset: string | undefined,
): { readonly openPartition: AttributeValue; readonly openOffset: AttributeValue } {
  return {
    openPartition: { S: String(partition) },
    openOffset: { S: offset === undefined ? "unknown" : paddedOffset(offset) },
  };
}

function keyOf(pk: string, sk: string): Key {
  return { pk: { S: pk }, sk: { S: sk } };
}
