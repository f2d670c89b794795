import type { RecordRef, Standing } from "../../../lambdas/core/ledger.ts";
import { MemoryLedger } from "../memory-ledger.ts";

/** Looks through all entries of a partition where the offset is not known, as the real one does. */
export class SearchingLedger extends MemoryLedger {
  /** Ids whose search ends at the cap. */
  readonly inconclusive = new Set<string>();

  override async standings(records: readonly RecordRef[]): Promise<readonly Standing[]> {
    const standings = await super.standings(records);
    return standings.map((standing, index) => {
      const record = records[index];
      if (record === undefined || record.offset !== undefined) return standing;
      if (this.inconclusive.has(record.id)) return { ...standing, entry: "unknown" };
      const named = this.entries.some(
        ({ partition, ids }) => partition === record.partition && ids.has(record.id),
      );
      return { ...standing, entry: named ? "named" : "absent" };
    });
  }
}
