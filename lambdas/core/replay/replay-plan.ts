import type { LedgerItem } from "../ledger.ts";
import type { Letter } from "./replay-letter.ts";
import { type Listed, listedOf, matchingIn } from "./replay-listed.ts";
import { compareTurns } from "./replay-order.ts";
import type { ReplayLedger, ReplayPorts } from "./replay-ports.ts";
import type { ReplayRequest } from "./replay-request.ts";
import type { ReplayError } from "./replay-result.ts";

/** Records that the ledger lists as dead and that the request wants, oldest first. */
export async function plannedRecords(
  { filter }: Pick<ReplayRequest, "filter">,
  { ledger, ...facts }: Pick<ReplayPorts, "ledger" | "clock" | "settings">,
): Promise<Listed> {
  const items =
    filter.ids === undefined
      ? await ledger.deadRecords(filter.partition)
      : [...(await ledger.items(filter.ids)).values()];
  return matchingIn(listedOf(items, facts), filter);
}

/** Planned records of which the scan saw no letter. Read again: the index may lag behind. */
export async function unseenRecords(
  planned: readonly LedgerItem[],
  seen: ReadonlySet<string>,
  ledger: ReplayLedger,
): Promise<readonly LedgerItem[]> {
  const unseen = planned.filter(({ id }) => !seen.has(id));
  if (unseen.length === 0) return [];
  const now = await ledger.items(unseen.map(({ id }) => id));
  return unseen.filter(({ id, generation }) => {
    const item = now.get(id);
    return item?.state === "dead" && item.generation === generation;
  });
}

export type Selected = {
  /** Letters to act on, by partition and oldest first; the partition of the oldest one first. */
  readonly partitions: readonly (readonly Letter[])[];
  /** Whether letters are left alone because an older one of their partition was not seen. */
  readonly leftAlone: boolean;
};

/**
 * Groups letters, given oldest first, by partition. `hidden` are records whose letters exist but were
 * not seen: what comes behind one in its partition is left alone, or it would be overtaken.
 */
export function selectLetters(letters: readonly Letter[], hidden: readonly LedgerItem[]): Selected {
  const firstHidden = new Map<number, LedgerItem>();
  for (const item of hidden) {
    const first = firstHidden.get(item.partition);
    if (first === undefined || compareTurns(item, first) < 0) firstHidden.set(item.partition, item);
  }
  const free = letters.filter(({ record }) => {
    const before = firstHidden.get(record.partition);
    return before === undefined || compareTurns(record, before) <= 0;
  });
  const partitions = Map.groupBy(free, ({ record }) => record.partition);
  return { partitions: [...partitions.values()], leftAlone: free.length < letters.length };
}

/** What a complete scan says of letters that should be there and are not. `expired` are records whose
 *  letters SQS has deleted: they are counted elsewhere, and named where they were asked for by id. */
export async function absentLetters(
  { filter }: Pick<ReplayRequest, "filter">,
  { unseen, expired }: { readonly [each in "unseen" | "expired"]: readonly LedgerItem[] },
  seen: ReadonlySet<string>,
  ledger: ReplayLedger,
): Promise<readonly ReplayError[]> {
  const listed = new Set(unseen.map(({ id }) => id));
  const gone = new Set(expired.map(({ id }) => id));
  const unlisted = (filter.ids ?? []).filter((id) => !seen.has(id) && !listed.has(id));
  const items = unlisted.length === 0 ? undefined : await ledger.items(unlisted);
  return [
    ...unseen.map(({ id }) => ({
      id,
      error:
        "listed in the ledger but not in the dead-letter queue: expired or removed by hand; publish the record again if the game needs it",
    })),
    ...unlisted.map((id) => ({ id, error: gone.has(id) ? DELETED : notALetter(items?.get(id)) })),
  ];
}

const DELETED =
  "expired: SQS deleted its letter when the retention ended, so nothing is left to replay; if the game lacks the event, and no earlier run has left it pending, publish it again under a new id";

function notALetter(item: LedgerItem | undefined): string {
  if (item === undefined) {
    return "not in the dead-letter queue, and the ledger lists no trouble with it; compare the id";
  }
  switch (item.state) {
    case "applied":
      return "not in the dead-letter queue: it was applied";
    case "retrying":
      return "not in the dead-letter queue: it is in the source queue and being tried";
    case "dead":
      return "not in the dead-letter queue, though the ledger lists it as dead, with facts that this request does not want";
    default:
      return item.state satisfies never;
  }
}
