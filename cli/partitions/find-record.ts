import { SEARCHED_ENTRIES } from "../../lambdas/aws/ledger/entry-names.ts";
import type { LedgerTable } from "../../lambdas/aws/ledger/ledger-table.ts";
import { startOf } from "../../lambdas/core/acts/act.ts";
import { type FoundItem, findItem } from "../letters/read-item.ts";
import { newestEntries } from "./batch-entries.ts";

/** What the ledger tells of one id. */
export type Found =
  /** The record has an item of its own: it failed, was redelivered or replayed, or has effects. */
  | ({ readonly kind: "item" } & FoundItem)
  /** A batch entry of its partition names it: applied at its first receive. */
  | { readonly kind: "entry"; readonly partition: number; readonly appliedAtMs: number }
  /** It has no item; entries were looked through only where its partition is known. */
  | { readonly kind: "none"; readonly searched: Searched };

/** How far the batch entries were searched. */
export type Searched = "not" | "all" | "newest";

/** Publishers' and consumers' clocks may differ. */
const CLOCK_TOLERANCE_MS = 3_600_000;

/**
 * Looks for a record: its own item, then the batch entries of `partition`, newest first, back to the
 * time in its id where that is a UUIDv7. @throws where DynamoDB fails.
 */
export async function findRecord(
  ledger: LedgerTable,
  id: string,
  partition: number | undefined,
): Promise<Found> {
  const found = await findItem(ledger, id);
  if (found !== undefined) return { kind: "item", ...found };
  return partition === undefined
    ? { kind: "none", searched: "not" }
    : searchEntries(ledger, id, partition);
}

async function searchEntries(ledger: LedgerTable, id: string, partition: number): Promise<Found> {
  const sinceMs = (startOf(id) ?? 0) - CLOCK_TOLERANCE_MS;
  let read = 0;
  for await (const { ids, appliedAtMs } of newestEntries(ledger, partition)) {
    if (ids.has(id)) return { kind: "entry", partition, appliedAtMs };
    if (appliedAtMs < sinceMs) return { kind: "none", searched: "all" };
    read += 1;
  }
  return { kind: "none", searched: read < SEARCHED_ENTRIES ? "all" : "newest" };
}
