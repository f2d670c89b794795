import { BatchWriteItemCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { entryKey, openKeys, recordKey } from "../../lambdas/aws/ledger/ledger-keys.ts";
import { toSdkAttributes } from "../../lambdas/aws/sqs-attributes.ts";
import { keyHash, partitionOf } from "../../lambdas/core/partition.ts";
import { letterDeduplicationId, sqsIdOf } from "../../lambdas/core/wire/identity.ts";
import { letterAttributes } from "../../lambdas/core/wire/letter-attributes.ts";
import { encodeKey, WIRE } from "../../lambdas/core/wire/wire.ts";
import type { LetterMark } from "../../lambdas/core/wire/wire-metadata.ts";

/** A dead letter as the consumer leaves it, in the queue and in the ledger. */
export type SeededLetter = {
  readonly id: string;
  readonly key: string;
  /** Its place in its partition. */
  readonly offset: bigint;
  readonly reason: string;
  readonly failedAtMs: number;
  /** @default "{}" */
  readonly payload?: string;
};

/** What a batch of plain successes leaves in the ledger; all keys are of one partition. */
export type SeededEntry = {
  readonly ids: readonly string[];
  readonly keys: readonly string[];
  readonly offset: bigint;
  readonly appliedAtMs: number;
};

export type SeededBacklog = {
  readonly settings: { readonly partitions: number };
  readonly sqs: SQSClient;
  readonly dynamoDb: DynamoDBClient;
  readonly letterQueueUrl: string;
  readonly ledgerTable: string;
};

/** Puts letters into the dead-letter queue, in this order, and their records into the ledger. */
export async function seedLetters(
  backlog: SeededBacklog,
  letters: readonly SeededLetter[],
): Promise<void> {
  const { partitions } = backlog.settings;
  for (const batch of slices(letters, ENTRIES_PER_SEND)) {
    const Entries = batch.map((letter) => messageOf(letter, partitions));
    const { Failed = [] } = await backlog.sqs.send(
      new SendMessageBatchCommand({ QueueUrl: backlog.letterQueueUrl, Entries }),
    );
    if (Failed.length > 0)
      throw new Error(`Expected all letters to be sent: ${Failed[0]?.Message}`);
  }
  await putItems(
    backlog,
    letters.map((letter) => itemOf(letter, partitions)),
  );
}

/** Puts batch entries into the ledger. */
export async function seedEntries(
  backlog: SeededBacklog,
  entries: readonly SeededEntry[],
): Promise<void> {
  const { partitions } = backlog.settings;
  await putItems(
    backlog,
    entries.map(({ ids, keys, offset, appliedAtMs }) => ({
      ...entryKey(partitionOf(keys[0] ?? "", partitions), String(offset)),
      ids: { SS: [...ids] },
      keyHashes: { NS: [...new Set(keys.map((key) => String(keyHash(key))))] },
      appliedAt: { N: String(appliedAtMs) },
      expiresAt: expiry(appliedAtMs),
    })),
  );
}

const ENTRIES_PER_SEND = 10;
const ITEMS_PER_WRITE = 25;
const MEMORY_SECONDS = 2_764_800;
const ATTEMPTS = 3;
const MINUTE_MS = 60_000;

function factsOf(
  { key, offset, reason, failedAtMs }: SeededLetter,
  partitions: number,
): LetterMark & { readonly offset: string } {
  return {
    partition: partitionOf(key, partitions),
    offset: String(offset),
    generation: 0,
    attempts: ATTEMPTS,
    reason,
    failedAtMs,
    enqueuedAtMs: failedAtMs - MINUTE_MS,
  };
}

function messageOf(letter: SeededLetter, partitions: number): SendMessageBatchRequestEntry {
  const { id, key, payload: body = "{}" } = letter;
  const facts = factsOf(letter, partitions);
  const attributes = {
    [WIRE.id]: { dataType: "String", stringValue: id },
    [WIRE.enqueuedAt]: { dataType: "Number", stringValue: String(facts.enqueuedAtMs) },
    ...encodeKey(key),
  };
  return {
    Id: sqsIdOf(id).replace(/[^\w-]/g, "_"),
    MessageBody: body,
    MessageAttributes: toSdkAttributes(letterAttributes({ body, attributes }, facts)),
    MessageGroupId: sqsIdOf(id),
    MessageDeduplicationId: letterDeduplicationId(id, 0, id),
  };
}

type Item = Readonly<Record<string, object>>;

function itemOf(letter: SeededLetter, partitions: number): Item {
  const { id, key, reason } = letter;
  const { partition, offset, enqueuedAtMs, failedAtMs } = factsOf(letter, partitions);
  return {
    ...recordKey(id),
    ...openKeys(partition, offset),
    id: { S: id },
    key: { S: key },
    state: { S: "dead" },
    partition: { N: String(partition) },
    offset: { S: offset },
    generation: { N: "0" },
    attempts: { N: String(ATTEMPTS) },
    messageId: { S: id },
    reason: { S: reason },
    enqueuedAt: { N: String(enqueuedAtMs) },
    failedAt: { N: String(failedAtMs) },
    expiresAt: expiry(failedAtMs),
  };
}

function expiry(sinceMs: number): { readonly N: string } {
  return { N: String(Math.ceil(sinceMs / 1000) + MEMORY_SECONDS) };
}

async function putItems(
  { dynamoDb, ledgerTable }: SeededBacklog,
  items: readonly Item[],
): Promise<void> {
  for (const batch of slices(items, ITEMS_PER_WRITE)) {
    const puts = batch.map((Item) => ({ PutRequest: { Item: Item as never } }));
    await dynamoDb.send(new BatchWriteItemCommand({ RequestItems: { [ledgerTable]: puts } }));
  }
}

function* slices<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
