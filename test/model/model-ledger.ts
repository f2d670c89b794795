import {
  type Attempt,
  type Counted,
  type Failure,
  NAMING_ENTRIES,
  type RecordRef,
  type Standing,
} from "../../lambdas/core/ledger.ts";
import { MemoryLedger } from "../core/memory-ledger.ts";

/** The ledger's rules in memory, with the search for records whose offset is unknown. */
export class ModelLedger extends MemoryLedger {
  /** Called for each attempt that is counted. */
  onCount: (record: RecordRef, attempt: Attempt) => void = () => undefined;

  override async standings(records: readonly RecordRef[]): Promise<readonly Standing[]> {
    return records.map((record) => ({
      item: this.items.get(record.id),
      entry: this.#names(record) ? "named" : "absent",
    }));
  }

  override async count(record: RecordRef, attempt: Attempt, failure?: Failure): Promise<Counted> {
    const counted = await super.count(record, attempt, failure);
    if (counted.kind === "counted") this.onCount(record, attempt);
    return counted;
  }

  /** Whether anything in it says that the record was applied. */
  knows(id: string): boolean {
    return this.items.get(id)?.state === "applied" || this.entries.some(({ ids }) => ids.has(id));
  }

  /** The model's offsets have one length, so text compares as numbers do. */
  #names({ id, partition, offset }: RecordRef): boolean {
    const entries = this.entries.filter((entry) => entry.partition === partition);
    const naming = entries.filter(({ ids }) => ids.has(id));
    if (offset === undefined) return naming.length > 0;
    return naming.some(
      (found) =>
        found.offset <= offset &&
        entries.filter((other) => other.offset > found.offset && other.offset <= offset).length <
          NAMING_ENTRIES,
    );
  }
}
