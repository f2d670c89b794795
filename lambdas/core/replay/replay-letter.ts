import type { LedgerItem, RecordRef } from "../ledger.ts";
import type { Delivery } from "../record.ts";
import type { Settings } from "../settings.ts";
import { type Arrival, readArrival } from "../wire/arrival.ts";
import { isRecordId, sqsIdOf } from "../wire/identity.ts";
import { WIRE } from "../wire/wire.ts";
import { decodeLetter, type LetterMark } from "../wire/wire-metadata.ts";

/** One message of the dead-letter queue after a look inside. */
export type Letter = {
  readonly delivery: Delivery;
  /** `generation` is the letter's own; its `offset` is undefined where it cannot be trusted. */
  readonly record: RecordRef;
  readonly reason: string;
  /** Where SQS moved the message and the ledger knows nothing: when SQS says that it was sent. */
  readonly failedAtMs: number;
  /** Calls of the handler in this generation, as far as known. */
  readonly attempts: number;
  /** Moved by SQS itself into its partition's group, where ten of them hide the rest. */
  readonly native: boolean;
  /** No record can be read out of it. */
  readonly malformed: string | undefined;
  /** Partition that the letter was written for; undefined where it does not say. */
  readonly writtenFor: number | undefined;
};

/** A letter without facts of its own, for which the ledger must be asked. */
export function isUnmarked({ attributes }: Delivery): boolean {
  return attributes[WIRE.deadLetter] === undefined;
}

/** The record's id, which {@link readLetter} wants the ledger's item of. */
export function letterId(delivery: Delivery, partitions: number): string {
  const { attributes, messageId, group } = delivery;
  const id = attributes[WIRE.id]?.stringValue;
  if (isRecordId(id)) return id;
  // Such a record went by the MessageId of its first message, which named the letter's group.
  return isPartition(group, partitions) ? messageId : (group ?? messageId);
}

/** `item` is needed for unmarked letters only. Never throws. */
export function readLetter(
  delivery: Delivery,
  item: LedgerItem | undefined,
  settings: Pick<Settings, "partitions" | "maxReceiveCount">,
): Letter {
  const { partitions } = settings;
  const arrival = readArrival(delivery, partitions);
  const id = letterId(delivery, partitions);
  const record = { ...arrival.identity, id };
  const malformed = arrival.content.kind === "malformed" ? arrival.content.reason : undefined;
  const common = { delivery, malformed };
  if (!isUnmarked(delivery)) {
    const mark = markOf(delivery);
    return {
      ...common,
      record,
      reason: mark?.reason ?? malformed ?? "",
      failedAtMs: mark?.failedAtMs ?? delivery.sentAtMs,
      attempts: mark?.attempts ?? 0,
      native: false,
      writtenFor: mark?.partition,
    };
  }
  const native = isPartition(delivery.group, partitions) && delivery.group !== sqsIdOf(id);
  return {
    ...common,
    record: { ...record, offset: unmarkedOffset(arrival, item, native) },
    reason: item?.reason ?? unmarkedReason(delivery, native, settings),
    failedAtMs: item?.failedAtMs ?? delivery.sentAtMs,
    attempts: item?.generation === record.generation ? item.attempts : 0,
    native,
    writtenFor: undefined,
  };
}

function markOf({ attributes }: Delivery): LetterMark | undefined {
  const attribute = attributes[WIRE.deadLetter];
  return attribute === undefined ? undefined : decodeLetter(attribute);
}

function isPartition(group: string | undefined, partitions: number): boolean {
  return group !== undefined && /^(0|[1-9]\d*)$/.test(group) && Number(group) < partitions;
}

/** A replay's mark carries the first offset. Without one, the SequenceNumber is the dead-letter
 *  queue's own; the consumer's letters that had no room for facts have them in the ledger. */
function unmarkedOffset(
  { identity, replayed }: Arrival,
  item: LedgerItem | undefined,
  native: boolean,
): string | undefined {
  if (replayed) return identity.offset;
  return native ? undefined : item?.offset;
}

/** SQS moves a message at the receive after its last allowed one, and goes on counting with each
 *  receive from the dead-letter queue: what is above the maximum was only looked at. */
function unmarkedReason(
  { receives }: Delivery,
  native: boolean,
  { maxReceiveCount }: Pick<Settings, "maxReceiveCount">,
): string {
  if (!native) return "not known: the ledger holds the facts of this letter no more";
  return `moved by SQS after ${Math.min(Math.max(receives - 1, 0), maxReceiveCount)} receives`;
}
