import type { Performed } from "../acts/act.ts";
import type { ActRun } from "../acts/record-act.ts";
import { reasonOf } from "../dead-letter.ts";
import type { LedgerItem } from "../ledger.ts";
import { EXPIRED, isExpired, retentionAt } from "./letter-expiry.ts";
import { letterLanes } from "./letter-lanes.ts";
import type { LetterError, LetterPorts } from "./letter-ports.ts";
import type { Withheld } from "./withheld.ts";

export type RestoreResult = {
  readonly runId: string;
  readonly restored: readonly string[];
  readonly errors: readonly LetterError[];
};

/**
 * Lists discarded letters again, so that a replay takes them. One that is listed already counts as
 * restored; one that SQS has deleted cannot be. A replay that runs meanwhile does not see them.
 * @throws where the ledger fails before anything was written.
 */
export async function restoreLetters(
  wanted: readonly string[],
  run: ActRun,
  ports: Pick<LetterPorts, "marks" | "ledger" | "clock" | "settings">,
): Promise<Performed<RestoreResult>> {
  const { marks, ledger, clock } = ports;
  const ids = [...new Set(wanted)];
  const [withheld, items] = await Promise.all([marks.withheld(), ledger.items(ids)]);
  const marked = new Map(withheld.map((each) => [each.id, each]));
  const listed = await listedIds(
    ids.flatMap((id) => (marked.has(id) ? [] : (items.get(id) ?? []))),
    ledger,
  );
  const restored: string[] = [];
  const errors: LetterError[] = [];
  const begun = await letterLanes(ids, run, clock, async (id) => {
    const error = await restore({ withheld: marked.get(id), item: items.get(id), listed }, ports);
    if (error === undefined) restored.push(id);
    else errors.push({ id, error });
  });
  errors.push(...ids.slice(begun).map((id) => ({ id, error: "there was no time: run again" })));
  const done = new Set(restored);
  return {
    answer: { runId: run.runId, restored, errors },
    state: "done",
    counts: { restored: restored.length, errors: errors.length },
    letters: ids.map((id) => ({
      id,
      outcome: done.has(id) ? "restored" : "kept",
      oldReason: marked.get(id)?.reason ?? items.get(id)?.reason ?? null,
    })),
  };
}

/** A purged record stays dead as one that waits for a replay does; only that one is listed. */
async function listedIds(
  items: readonly LedgerItem[],
  ledger: LetterPorts["ledger"],
): Promise<ReadonlySet<string>> {
  const dead = items.filter(({ state }) => state === "dead");
  const partitions = [...new Set(dead.map(({ partition }) => partition))];
  const listed = await Promise.all(partitions.map((partition) => ledger.deadRecords(partition)));
  return new Set(listed.flat().map(({ id }) => id));
}

type Wanted = {
  readonly withheld: Withheld | undefined;
  readonly item: LedgerItem | undefined;
  /** Ids that need no restoring. */
  readonly listed: ReadonlySet<string>;
};

async function restore(
  { withheld, item, listed }: Wanted,
  { marks, clock, settings }: Pick<LetterPorts, "marks" | "clock" | "settings">,
): Promise<string | undefined> {
  const letter = withheld ?? (item?.state === "dead" ? item : undefined);
  if (letter === undefined) return "it is not discarded; compare the id";
  // By the item, where there is one: a mark does not know of a letter that was sent again since.
  if (isExpired(item ?? letter, retentionAt(clock.nowMs(), settings))) return EXPIRED;
  if (withheld === undefined) {
    return listed.has(letter.id)
      ? undefined
      : "it is neither discarded nor listed: it was purged, or the list is a moment behind; look at it again";
  }
  if (withheld.kind === "editing") {
    return "an edit of it was interrupted, so which of its contents is meant is not known: edit it again";
  }
  try {
    const released = await marks.release(withheld);
    return released
      ? undefined
      : "it was purged, or went on without us meanwhile; look at it again";
  } catch (error) {
    return `the ledger did not answer, so it may be restored or not (${reasonOf(error)}): run again`;
  }
}
