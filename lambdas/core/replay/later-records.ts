import { type LedgerItem, NAMING_ENTRIES } from "../ledger.ts";
import { keyHash } from "../partition.ts";
import { compareOffsets, paddedOffset } from "../wire/offset.ts";
import type { BatchEntry, ReplayLedger } from "./replay-ports.ts";

/** What a partition's batch entries say of one dead record. */
export type Later = {
  /** An entry names the record itself: it was applied. */
  readonly named: boolean;
  /** Records applied since whose key has the same hash. */
  readonly by: number;
  /** There may be more: an entry does not say how many of its records have which key, or not all
   *  entries were read. */
  readonly atLeast: boolean;
  /** Whether the partition has entries at all. */
  readonly known: boolean;
};

/** Entries read of one partition. */
const ENTRIES_READ = 10_000;

/** Entries of one request: some 600 KB. */
const ENTRIES_PER_PAGE = 1000;

/** Partitions read side by side. */
const LANES = 8;

/** Publishers' and consumers' clocks may differ. */
const CLOCK_TOLERANCE_MS = 3_600_000;

/**
 * Counts, for each record, what batch entries tell of later records of its key. An entry keeps 32-bit
 * hashes of keys, which two keys can share: a count may hold records of another key. It is of plain
 * successes on a first receive only. Records with effects, replays, and those that were received more
 * than once, as the ones right behind a failing head are, have items of their own, which no index
 * lists: they are not counted, and a partition of effects alone has no entries and is not known.
 * @returns by id. @throws where the ledger fails.
 */
export async function laterRecords(
  records: readonly LedgerItem[],
  ledger: Pick<ReplayLedger, "batchEntries">,
): Promise<ReadonlyMap<string, Later>> {
  const found = new Map<string, Later>();
  const partitions = Map.groupBy(records, ({ partition }) => partition).entries();
  const lane = async (): Promise<void> => {
    // One iterator for all lanes: each takes the next partition when it is done with one.
    for (const [partition, dead] of partitions) await lookThrough(partition, dead, found, ledger);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return found;
}

type Count = { -readonly [field in keyof Later]: Later[field] };

async function lookThrough(
  partition: number,
  dead: readonly LedgerItem[],
  found: Map<string, Later>,
  ledger: Pick<ReplayLedger, "batchEntries">,
): Promise<void> {
  const counts = new Map(
    dead.map(({ id }) => [id, { named: false, by: 0, atLeast: false, known: false } as Count]),
  );
  const byHash = Map.groupBy(dead, ({ key }) => keyHash(key));
  const byId = new Map(dead.map((item) => [item.id, item]));
  const ahead = dead
    .filter(({ offset }) => offset !== undefined)
    .toSorted((left, right) => compareOffsets(left.offset, right.offset));
  let read = 0;
  let upTo: string | undefined;
  for (;;) {
    const { entries, end } = await ledger.batchEntries(partition, upTo, ENTRIES_PER_PAGE);
    for (const entry of entries) {
      const passed = passedBy(entry, ahead);
      countEntry(entry, { byHash, byId, counts, passed });
    }
    read += entries.length;
    const last = entries.at(-1);
    if (end || last === undefined || isBefore(entries.at(-NAMING_ENTRIES), dead)) break;
    if (read >= ENTRIES_READ) {
      for (const count of counts.values()) count.atLeast = true;
      break;
    }
    upTo = offsetBefore(last.offset);
  }
  for (const [id, count] of counts) found.set(id, { ...count, known: read > 0 });
}

/** Takes those of which this is the last entry at or before their offset; `ahead` is oldest first. */
function passedBy({ offset }: BatchEntry, ahead: LedgerItem[]): ReadonlySet<string> {
  const passed = new Set<string>();
  for (let last = ahead.at(-1); last !== undefined; last = ahead.at(-1)) {
    if (compareOffsets(last.offset, offset) < 0) break;
    passed.add(last.id);
    ahead.pop();
  }
  return passed;
}

type Counting = {
  readonly byHash: ReadonlyMap<number, readonly LedgerItem[]>;
  readonly byId: ReadonlyMap<string, LedgerItem>;
  readonly counts: ReadonlyMap<string, Count>;
  readonly passed: ReadonlySet<string>;
};

function countEntry(entry: BatchEntry, counting: Counting): void {
  noteNamed(entry, counting);
  const { byHash, counts, passed } = counting;
  const { ids, keyHashes } = entry;
  const each = keyHashes.length === 1 ? ids.size : 1;
  const isExact = keyHashes.length === 1 || keyHashes.length === ids.size;
  for (const item of keyHashes.flatMap((hash) => byHash.get(hash) ?? [])) {
    const count = counts.get(item.id);
    if (count === undefined || !isLater(entry, item, passed)) continue;
    count.by += each;
    count.atLeast ||= !isExact;
  }
}

function noteNamed({ ids, offset }: BatchEntry, { byId, counts }: Counting): void {
  for (const id of ids) {
    const count = counts.get(id);
    const own = byId.get(id)?.offset;
    if (count !== undefined && (own === undefined || compareOffsets(offset, own) <= 0)) {
      count.named = true;
    }
  }
}

/** An entry stands at its batch's smallest offset: the last one before a record holds what came behind
 *  it in its own batch, if it was written once the record was dead. Of a record without an offset only
 *  the time is known. */
function isLater(
  { offset, appliedAtMs }: BatchEntry,
  item: LedgerItem,
  passed: ReadonlySet<string>,
): boolean {
  if (item.offset !== undefined && compareOffsets(offset, item.offset) > 0) return true;
  const isByTime = item.offset === undefined || passed.has(item.id);
  return isByTime && item.failedAtMs !== undefined && appliedAtMs > item.failedAtMs;
}

/** Whether the entry, if there is one, is older than what could be later than one of the records. */
function isBefore(entry: BatchEntry | undefined, dead: readonly LedgerItem[]): boolean {
  if (entry === undefined) return false;
  return dead.every((item) =>
    item.offset === undefined
      ? entry.appliedAtMs < item.enqueuedAtMs - CLOCK_TOLERANCE_MS
      : compareOffsets(entry.offset, item.offset) <= 0,
  );
}

function offsetBefore(offset: string): string {
  return paddedOffset(String(BigInt(offset) - 1n));
}
