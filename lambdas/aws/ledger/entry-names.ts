import { NAMING_ENTRIES, type RecordRef, type Standing } from "../../core/ledger.ts";
import type { EntryPage } from "../../core/replay/replay-ports.ts";
import { compareOffsets } from "../../core/wire/offset.ts";
import { batchEntryPages, readBatchEntries } from "./batch-entries.ts";
import type { LedgerTable } from "./ledger-table.ts";

/** Entries read of one partition in search of a record whose offset is unknown. */
export const SEARCHED_ENTRIES = 10_000;

/** Publishers' and consumers' clocks may differ; an entry older than this cannot name the record. */
const CLOCK_TOLERANCE_MS = 3_600_000;

/**
 * Whether a batch entry names each record. Records of one partition share reads: there is never more
 * than one request for each, and mostly one for all. All reads are consistent.
 * @throws where DynamoDB fails.
 */
export async function namedInEntries(
  ledger: LedgerTable,
  records: readonly RecordRef[],
): Promise<ReadonlyMap<RecordRef, Standing["entry"]>> {
  const named = new Map<RecordRef, Standing["entry"]>();
  const byPartition = Map.groupBy(records.filter(hasOffset), ({ partition }) => partition);
  await Promise.all([
    ...[...byPartition].map(([partition, some]) => walkEntries(ledger, partition, some, named)),
    ...records
      .filter((record) => !hasOffset(record))
      .map(async (record) => named.set(record, await searchEntries(ledger, record))),
  ]);
  return named;
}

type Placed = RecordRef & { readonly offset: string };

function hasOffset(record: RecordRef): record is Placed {
  return record.offset !== undefined;
}

/** Each page begins at the newest record that is still open and reaches far enough back to answer for
 *  that one at least. */
async function walkEntries(
  ledger: LedgerTable,
  partition: number,
  records: readonly Placed[],
  named: Map<RecordRef, Standing["entry"]>,
): Promise<void> {
  let open = records.toSorted((left, right) => compareOffsets(right.offset, left.offset));
  for (let first = open[0]; first !== undefined; first = open[0]) {
    const limit = open.length - 1 + NAMING_ENTRIES;
    const page = await readBatchEntries(ledger, { partition, upTo: first.offset, limit });
    open = open.filter((record) => {
      const entry = namedOnPage(page, record);
      if (entry !== undefined) named.set(record, entry);
      return entry === undefined;
    });
  }
}

/** Undefined where the page ends among the entries that could name the record. */
function namedOnPage(
  { entries, end }: EntryPage,
  { id, offset }: Placed,
): Standing["entry"] | undefined {
  const candidates = entries
    .filter((entry) => compareOffsets(entry.offset, offset) <= 0)
    .slice(0, NAMING_ENTRIES);
  if (candidates.some(({ ids }) => ids.has(id))) return "named";
  return end || candidates.length === NAMING_ENTRIES ? "absent" : undefined;
}

/** Newest entries first, until they are older than the record or the cap is reached. */
async function searchEntries(
  ledger: LedgerTable,
  { id, partition, enqueuedAtMs }: RecordRef,
): Promise<Standing["entry"]> {
  const oldestMs = enqueuedAtMs - CLOCK_TOLERANCE_MS;
  let read = 0;
  for await (const { entries } of batchEntryPages(ledger, { partition })) {
    for (const { ids, appliedAtMs } of entries) {
      if (ids.has(id)) return "named";
      if (appliedAtMs < oldestMs) return "absent";
    }
    read += entries.length;
    if (read >= SEARCHED_ENTRIES) return "unknown";
  }
  return "absent";
}
