import type { Attempt, Counted, Failure, RecordRef } from "../../lambdas/core/ledger.ts";
import { MemoryLedger } from "../core/memory-ledger.ts";

/** The ledger's rules in memory, as the model's witness looks at them. */
export class ModelLedger extends MemoryLedger {
  /** Called for each attempt that is counted. */
  onCount: (record: RecordRef, attempt: Attempt) => void = () => undefined;

  override async count(record: RecordRef, attempt: Attempt, failure?: Failure): Promise<Counted> {
    const counted = await super.count(record, attempt, failure);
    if (counted.kind === "counted") this.onCount(record, attempt);
    return counted;
  }

  /** Whether anything in it says that the record was applied. */
  knows(id: string): boolean {
    return this.items.get(id)?.state === "applied" || this.entries.some(({ ids }) => ids.has(id));
  }
}
