import type { UpdateItemCommandInput } from "@aws-sdk/client-dynamodb";
import type { Attempt, Death, EntryRecord, Failure, RecordRef } from "../../core/ledger.ts";
import { keyHash } from "../../core/partition.ts";
import { compareOffsets } from "../../core/wire/offset.ts";
import type { Attributes } from "./ledger-item.ts";
import { entryKey, openKeys, recordKey } from "./ledger-keys.ts";

/** When a write happens and how long it is remembered. */
export type Moment = { readonly nowMs: number; readonly memorySeconds: number };

type Write = Omit<UpdateItemCommandInput, "TableName" | "Key"> & {
  readonly Key: Attributes;
  readonly UpdateExpression: string;
};

/** An item past its time counts as absent: DynamoDB deletes it only days later. */
const ABSENT = "attribute_not_exists(pk) OR expiresAt <= :now";

const STATE = { "#state": "state" };

/** Sets the attempts to the next number; never `ADD 1`, which a repeated request would do twice. */
export function countWrite(
  record: RecordRef,
  { attempts, attemptId, messageId }: Attempt,
  failure: Failure | undefined,
  moment: Moment,
): Write {
  const noted = failure === undefined ? undefined : failureValues(failure);
  return {
    Key: recordKey(record.id),
    UpdateExpression: [
      `SET ${IDENTITY}, ${OPEN}, attempts = :attempts, attemptId = :attemptId`,
      ...(noted === undefined ? [] : [`, ${FAILURE}`]),
      " REMOVE messageId, appliedAt",
    ].join(""),
    ConditionExpression: [
      ABSENT,
      "(#state <> :applied AND generation < :generation)",
      "(generation = :generation AND #state = :state AND attempts = :before)",
      "(generation = :generation AND #state = :dead AND messageId <> :messageId)",
    ].join(" OR "),
    ExpressionAttributeNames: NAMES,
    ExpressionAttributeValues: {
      ...identityValues(record, "retrying", moment),
      ...openValues(record),
      ...noted,
      ":now": seconds(moment.nowMs),
      ":attempts": { N: String(attempts) },
      ":before": { N: String(attempts - 1) },
      ":attemptId": { S: attemptId },
      ":messageId": { S: messageId },
      ":applied": { S: "applied" },
      ":dead": { S: "dead" },
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
}

/** Takes one attempt back. Without its attempt id the item refuses the same request a second time. */
export function uncountWrite(record: RecordRef, attemptId: string): Write {
  return {
    Key: recordKey(record.id),
    UpdateExpression: "SET attempts = attempts - :one REMOVE attemptId",
    ConditionExpression: LAST_COUNTED,
    ExpressionAttributeNames: STATE,
    ExpressionAttributeValues: { ...lastCounted(attemptId), ":one": { N: "1" } },
  };
}

/** The reason of a failed attempt whose count stands already. */
export function noteWrite(record: RecordRef, attemptId: string, failure: Failure): Write {
  return {
    Key: recordKey(record.id),
    UpdateExpression: `SET ${FAILURE}`,
    ConditionExpression: LAST_COUNTED,
    ExpressionAttributeNames: STATE,
    ExpressionAttributeValues: { ...failureValues(failure), ...lastCounted(attemptId) },
  };
}

export function deadWrite(record: RecordRef, death: Death, moment: Moment): Write {
  const sentAt = death.letterSentAtMs;
  return {
    Key: recordKey(record.id),
    UpdateExpression: `SET ${IDENTITY}, ${OPEN}, ${FAILURE}, attempts = :attempts, messageId = :messageId${sentAt === undefined ? "" : ", letterSentAt = :sentAt"} REMOVE attemptId, appliedAt`,
    ConditionExpression: `${ABSENT} OR (#state <> :applied AND generation <= :generation)`,
    ExpressionAttributeNames: NAMES,
    ExpressionAttributeValues: {
      ...identityValues(record, "dead", moment),
      ...openValues(record),
      ...failureValues(death),
      ":now": seconds(moment.nowMs),
      ":attempts": { N: String(death.attempts) },
      ":messageId": { S: death.messageId },
      ":applied": { S: "applied" },
      ...(sentAt !== undefined && { ":sentAt": { N: String(sentAt) } }),
    },
  };
}

/** Sets `applied` where no newer generation is known; {@link appliedAnywayWrite} covers the rest. */
export function appliedWrite(record: RecordRef, moment: Moment, onlyExisting: boolean): Write {
  const known = "generation <= :generation";
  return {
    Key: recordKey(record.id),
    UpdateExpression: `SET ${IDENTITY}, appliedAt = :appliedAt REMOVE ${LEFT_BEHIND.join(", ")}`,
    ConditionExpression: onlyExisting ? `expiresAt > :now AND ${known}` : `${ABSENT} OR ${known}`,
    ExpressionAttributeNames: NAMES,
    ExpressionAttributeValues: {
      ...identityValues(record, "applied", moment),
      ...appliedAt(moment),
      ":now": seconds(moment.nowMs),
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
}

/** Applied by an older generation while a newer one is known: the state changes, the generation
 *  never falls. */
export function appliedAnywayWrite(record: RecordRef, moment: Moment): Write {
  return {
    Key: recordKey(record.id),
    UpdateExpression: `SET #state = :state, expiresAt = :expiresAt, appliedAt = :appliedAt REMOVE ${LEFT_BEHIND.join(", ")}`,
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeNames: STATE,
    ExpressionAttributeValues: {
      ":state": { S: "applied" },
      ":expiresAt": expiry(moment),
      ...appliedAt(moment),
    },
  };
}

/** The mark that goes into one transaction with a record's effects. `newer`: the item is known to be
 *  of a newer generation, which must not fall. */
export function effectsMark(record: RecordRef, moment: Moment, newer: boolean): Write {
  const write = newer ? appliedAnywayWrite(record, moment) : appliedWrite(record, moment, false);
  return {
    ...write,
    ConditionExpression: newer
      ? "attribute_exists(pk) AND #state <> :state"
      : `${ABSENT} OR (#state <> :state AND generation <= :generation)`,
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
}

/** ADD, never a Put: an entry for the same first offset may stand there from an earlier delivery,
 *  and must not lose its names. */
export function entryWrite(
  partition: number,
  records: readonly EntryRecord[],
  moment: Moment,
): Write {
  const ids = new Set<string>();
  const keyHashes = new Set<string>();
  let smallest: string | undefined;
  for (const { id, key, offset } of records) {
    ids.add(id);
    keyHashes.add(String(keyHash(key)));
    if (compareOffsets(offset, smallest) < 0) smallest = offset;
  }
  if (smallest === undefined) throw new RangeError("Expected a batch entry's records, got none");
  return {
    Key: entryKey(partition, smallest),
    UpdateExpression:
      "ADD ids :ids, keyHashes :keyHashes SET appliedAt = :appliedAt, expiresAt = :expiresAt",
    ExpressionAttributeValues: {
      ":ids": { SS: [...ids] },
      ":keyHashes": { NS: [...keyHashes] },
      ":expiresAt": expiry(moment),
      ...appliedAt(moment),
    },
  };
}

const NAMES = { ...STATE, "#key": "key", "#partition": "partition", "#offset": "offset" };

const IDENTITY =
  "id = :id, #key = :key, #partition = :partition, #offset = :offset, generation = :generation, #state = :state, enqueuedAt = :enqueuedAt, expiresAt = :expiresAt";
const OPEN = "openPartition = :openPartition, openOffset = :openOffset";
/** The record is still being tried, and this attempt was the last one counted. */
const LAST_COUNTED = "attemptId = :attemptId AND #state = :retrying";
const FAILURE = "reason = :reason, failedAt = :failedAt";

/** Attributes that an applied record has no more; without the first two it leaves the index. */
const LEFT_BEHIND = ["openPartition", "openOffset", "messageId", "attemptId"];

function identityValues(record: RecordRef, state: string, moment: Moment): Attributes {
  return {
    ":id": { S: record.id },
    ":key": { S: record.key },
    ":partition": { N: String(record.partition) },
    ":offset": record.offset === undefined ? { NULL: true } : { S: record.offset },
    ":generation": { N: String(record.generation) },
    ":state": { S: state },
    ":enqueuedAt": { N: String(record.enqueuedAtMs) },
    ":expiresAt": expiry(moment),
  };
}

function openValues({ partition, offset }: RecordRef): Attributes {
  const { openPartition, openOffset } = openKeys(partition, offset);
  return { ":openPartition": openPartition, ":openOffset": openOffset };
}

function failureValues({ reason, failedAtMs }: Failure): Attributes {
  return { ":reason": { S: reason }, ":failedAt": { N: String(failedAtMs) } };
}

function lastCounted(attemptId: string): Attributes {
  return { ":attemptId": { S: attemptId }, ":retrying": { S: "retrying" } };
}

function appliedAt({ nowMs }: Moment): Attributes {
  return { ":appliedAt": { N: String(nowMs) } };
}

function expiry({ nowMs, memorySeconds }: Moment): { N: string } {
  return seconds(nowMs + memorySeconds * 1000);
}

function seconds(ms: number): { N: string } {
  return { N: String(Math.floor(ms / 1000)) };
}
