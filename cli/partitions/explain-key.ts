import { SEARCHED_ENTRIES } from "../../lambdas/aws/ledger/entry-names.ts";
import { listOpenRecords } from "../../lambdas/aws/ledger/open-records.ts";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import { totalOf } from "../../lambdas/core/backlog.ts";
import type { LedgerItem } from "../../lambdas/core/ledger.ts";
import { keyHash, partitionOf } from "../../lambdas/core/partition.ts";
import type { BatchEntry } from "../../lambdas/core/replay/replay-ports.ts";
import { compareOffsets } from "../../lambdas/core/wire/offset.ts";
import type { BacklogLocation } from "../backlog-location.ts";
import type { Letter } from "../letters/letter.ts";
import { lettersOf, readLetterQueue } from "../letters/read-letters.ts";
import { ledgerAt, type Session } from "../session.ts";
import { newestEntries } from "./batch-entries.ts";

/** What is known of a key and the partition that it shares with others. */
export type KeyExplanation = {
  readonly key: string;
  readonly partition: number;
  /** 32-bit FNV-1a of the key, unsigned. */
  readonly hash: number;
  /** The record that the partition waits behind; undefined where none failed. */
  readonly head: LedgerItem | undefined;
  /** Messages in the source queue, of all partitions, about. */
  readonly waiting: number;
  /** Of this very key, that failed first at the front. */
  readonly letters: readonly Letter[];
  /** Dead letters of other keys in the partition. */
  readonly otherLetters: number;
  readonly applied: LastApplied;
};

/** What the batch entries tell: of records that were applied at their first receive, without effects. */
export type LastApplied = {
  /** The newest entry of the partition; undefined where there is none. */
  readonly inPartitionMs: number | undefined;
  /** The newest entry with a key of this hash, perhaps another key; undefined where none is found. */
  readonly ofHashMs: number | undefined;
  /** Whether all entries of the partition were read in search of the hash. */
  readonly searchedAll: boolean;
};

/** Reads the ledger's index and entries of one partition. @throws where AWS fails. */
export async function explainKey(
  key: string,
  session: Session,
  location: BacklogLocation,
): Promise<KeyExplanation> {
  const partition = partitionOf(key, location.partitions);
  const hash = keyHash(key);
  const ledger = ledgerAt(session, location);
  const [open, size, queue, applied] = await Promise.all([
    listOpenRecords(ledger, { partition }),
    readQueueSize(session.clients.sqs, location.sourceUrl),
    readLetterQueue(session, location),
    lastApplied(newestEntries(ledger, partition), hash),
  ]);
  const { listed } = lettersOf(open, queue, session.nowMs);
  const waiting = totalOf(size);
  const letters = listed.filter((letter) => letter.key === key);
  return {
    key,
    partition,
    hash,
    head: waiting === 0 ? undefined : headOf(open),
    waiting,
    letters,
    otherLetters: listed.length - letters.length,
    applied,
  };
}

async function lastApplied(
  entries: AsyncIterable<Pick<BatchEntry, "appliedAtMs" | "keyHashes">>,
  hash: number,
): Promise<LastApplied> {
  let inPartitionMs: number | undefined;
  let read = 0;
  for await (const { appliedAtMs, keyHashes } of entries) {
    inPartitionMs ??= appliedAtMs;
    read += 1;
    if (keyHashes.includes(hash))
      return { inPartitionMs, ofHashMs: appliedAtMs, searchedAll: false };
  }
  return { inPartitionMs, ofHashMs: undefined, searchedAll: read < SEARCHED_ENTRIES };
}

function headOf(open: readonly LedgerItem[]): LedgerItem | undefined {
  return open
    .filter(({ state }) => state === "retrying")
    .toSorted((left, right) => compareOffsets(left.offset, right.offset))
    .at(0);
}
