import { keyHash, partitionOf } from "../../../lambdas/core/partition.ts";
import type { EntryPage } from "../../../lambdas/core/replay/replay-ports.ts";
import type { Settings } from "../../../lambdas/core/settings.ts";
import { compareOffsets } from "../../../lambdas/core/wire/offset.ts";
import type { MemoryLedger } from "../memory-ledger.ts";
import type { VirtualClock } from "../virtual-clock.ts";
import { sequence } from "./made-letters.ts";

/** Batch entries of the ledger, with the facts that it does not keep in memory. */
export function madeEntries({
  settings,
  clock,
  ledger,
}: {
  readonly settings: Settings;
  readonly clock: VirtualClock;
  readonly ledger: MemoryLedger;
}) {
  const entryFacts = new Map<
    object,
    { readonly keys: readonly string[]; readonly appliedAtMs: number }
  >();

  return {
    /** Records of one batch that a plain handler applied, as the ledger remembers them. */
    applied(
      offset: number,
      records: Readonly<Record<string, string>>,
      appliedAtMs = clock.nowMs(),
    ) {
      const keys = Object.values(records);
      const partition = partitionOf(keys[0] ?? "", settings.partitions);
      const entry = { partition, offset: sequence(offset), ids: new Set(Object.keys(records)) };
      ledger.entries.push(entry);
      entryFacts.set(entry, { keys, appliedAtMs });
    },

    entriesOf(partition: number, upTo: string | undefined, limit: number): EntryPage {
      const found = ledger.entries
        .filter((entry) => entry.partition === partition && compareOffsets(entry.offset, upTo) <= 0)
        .toSorted((left, right) => compareOffsets(right.offset, left.offset));
      const entries = found.slice(0, limit).map((entry) => {
        const { keys = [], appliedAtMs = 0 } = entryFacts.get(entry) ?? {};
        const { offset, ids } = entry;
        return { offset, ids, keyHashes: [...new Set(keys.map(keyHash))], appliedAtMs };
      });
      return { entries, end: found.length <= limit };
    },
  };
}
