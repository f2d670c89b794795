import { batchEntryPages } from "../../lambdas/aws/ledger/batch-entries.ts";
import { SEARCHED_ENTRIES } from "../../lambdas/aws/ledger/entry-names.ts";
import type { LedgerTable } from "../../lambdas/aws/ledger/ledger-table.ts";
import type { BatchEntry } from "../../lambdas/core/replay/replay-ports.ts";

/**
 * The entries of a partition, the newest first, at most {@link SEARCHED_ENTRIES}; expired ones are
 * left out. Only plain handlers leave entries: a record with effects has an item of its own.
 * @throws where DynamoDB fails.
 */
export async function* newestEntries(
  ledger: LedgerTable,
  partition: number,
): AsyncGenerator<BatchEntry> {
  let left = SEARCHED_ENTRIES;
  for await (const { entries } of batchEntryPages(ledger, { partition, pageSize: PAGE })) {
    yield* entries.slice(0, left);
    left -= entries.length;
    if (left <= 0) return;
  }
}

/** Most searches end within the first entries; a whole page of DynamoDB holds 1 MB. */
const PAGE = 200;
