import type { Attempt, Counted, Failure, RecordRef } from "../../lambdas/core/ledger.ts";
import { MemoryLedger } from "../core/memory-ledger.ts";

/** The ledger's rules in memory, as the model's witness looks at them. */
export class ModelLedger extends MemoryLedger {
  /** Called for each attempt that is counted. */
  onCount: (record: RecordRef, attempt: Attempt) => void = () => undefined;

  /** Called for each attempt that is taken back. */
  onUncount: (record: RecordRef, attempt: Omit<Attempt, "messageId">) => void = () => undefined;

  override async count(record: RecordRef, attempt: Attempt, failure?: Failure): Promise<Counted> {
    const counted = await super.count(record, attempt, failure);
    if (counted.kind === "counted") this.onCount(record, attempt);
    return counted;
  }

  override async uncount(record: RecordRef, attemptId: string): Promise<void> {
    const before = this.items.get(record.id);
    await super.uncount(record, attemptId);
    const attempts = before?.attempts ?? 0;
    if (this.items.get(record.id)?.attempts === attempts - 1) {
      this.onUncount(record, { attempts, attemptId });
    }
  }

  /** Whether anything in it says that the record was applied. */
  knows(id: string): boolean {
    return this.items.get(id)?.state === "applied" || this.entries.some(({ ids }) => ids.has(id));
  }
}
