import type { LedgerItem } from "../ledger.ts";
import { partitionOf } from "../partition.ts";
import type { Settings } from "../settings.ts";
import { MALFORMED } from "../wire/arrival.ts";
import { type Later, laterRecords } from "./later-records.ts";
import { compareTurns } from "./replay-order.ts";
import type { ReplayLedger } from "./replay-ports.ts";

/** What a replay would do with a letter, as far as the ledger tells. */
export type LetterClass =
  /** `overtaken`: its partition has no batch entries, as where handlers return effects, so that
   *  nothing tells whether later records of its key were applied. */
  | { readonly kind: "ready"; readonly overtaken?: "unknown" }
  /** Later records of its key were applied since; `atLeast`: there may be more. */
  | { readonly kind: "overtaken"; readonly by: number; readonly atLeast: boolean }
  | { readonly kind: "applied" }
  | { readonly kind: "cannot-run"; readonly why: string }
  /** The oldest letter of its key that is not in the selection. */
  | { readonly kind: "held"; readonly behind: string }
  /** SQS has deleted its letter: there is nothing left to send. */
  | { readonly kind: "expired" };

type Facts = {
  readonly ledger: Pick<ReplayLedger, "batchEntries">;
  readonly settings: Pick<Settings, "partitions">;
};

/**
 * Class of each chosen record, by id. `living` are all dead records whose letters may be there: those
 * which are not chosen hold later ones of their key.
 * @throws where the ledger fails.
 */
export async function classify(
  chosen: readonly LedgerItem[],
  living: readonly LedgerItem[],
  { ledger, settings }: Facts,
): Promise<ReadonlyMap<string, LetterClass>> {
  const later = await laterRecords(chosen, ledger);
  const holders = holdersOf(chosen, living);
  const classes = chosen.map((item): readonly [string, LetterClass] => {
    const why = faultOf(item, settings.partitions);
    if (why !== undefined) return [item.id, { kind: "cannot-run", why }];
    return [item.id, classOf(item, later.get(item.id), holders.get(item.key))];
  });
  return new Map(classes);
}

function classOf(
  item: LedgerItem,
  later: Later | undefined,
  holder: LedgerItem | undefined,
): LetterClass {
  if (later?.named === true) return { kind: "applied" };
  if (holder !== undefined && compareTurns(holder, item) < 0) {
    return { kind: "held", behind: holder.id };
  }
  if (later === undefined || !later.known) return { kind: "ready", overtaken: "unknown" };
  const { by, atLeast } = later;
  return by === 0 ? { kind: "ready" } : { kind: "overtaken", by, atLeast };
}

function faultOf({ key, partition, reason }: LedgerItem, partitions: number): string | undefined {
  if (key === "") return "empty key: no partition's order covers it";
  // By what the drain writes of it; the run looks at the letter itself.
  if (reason?.startsWith(MALFORMED)) return "unreadable: it cannot be handled as it is";
  const own = partitionOf(key, partitions);
  return own === partition
    ? undefined
    : `its key belongs to partition ${own}, but it was published into ${partition}: the partition count was changed`;
}

/** The oldest record of each key that is not chosen. */
function holdersOf(
  chosen: readonly LedgerItem[],
  living: readonly LedgerItem[],
): ReadonlyMap<string, LedgerItem> {
  const ids = new Set(chosen.map(({ id }) => id));
  const holders = new Map<string, LedgerItem>();
  for (const item of living) {
    const first = holders.get(item.key);
    if (ids.has(item.id) || (first !== undefined && compareTurns(first, item) <= 0)) continue;
    holders.set(item.key, item);
  }
  return holders;
}
