import type { Performed } from "../acts/act.ts";
import type { ActRun } from "../acts/record-act.ts";
import { reasonOf } from "../dead-letter.ts";
import type { LedgerItem } from "../ledger.ts";
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
 * restored. A replay that runs meanwhile does not see them.
 * @throws where the ledger fails before anything was written.
 */
export async function restoreLetters(
  wanted: readonly string[],
  run: ActRun,
  { marks, ledger, clock }: Pick<LetterPorts, "marks" | "ledger" | "clock">,
): Promise<Performed<RestoreResult>> {
  const ids = [...new Set(wanted)];
  const [withheld, items] = await Promise.all([marks.withheld(), ledger.items(ids)]);
  const marked = new Map(withheld.map((each) => [each.id, each]));
  const restored: string[] = [];
  const errors: LetterError[] = [];
  const begun = await letterLanes(ids, run, clock, async (id) => {
    const error = await restore(marked.get(id), items.get(id), marks);
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

async function restore(
  withheld: Withheld | undefined,
  item: LedgerItem | undefined,
  marks: LetterPorts["marks"],
): Promise<string | undefined> {
  if (withheld === undefined) {
    return item?.state === "dead" ? undefined : "it is not discarded; compare the id";
  }
  if (withheld.kind === "editing") {
    return "an edit of it was interrupted, so which of its contents is meant is not known: edit it again";
  }
  try {
    await marks.release(withheld);
    return undefined;
  } catch (error) {
    return `the ledger did not answer, so it may be restored or not (${reasonOf(error)}): run again`;
  }
}
