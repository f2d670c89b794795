import type { Performed } from "../acts/act.ts";
import type { ActRun } from "../acts/record-act.ts";
import { findLetter } from "./find-letter.ts";
import { underLease } from "./letter-lease.ts";
import { digestOf } from "./letter-payload.ts";
import { type LetterPorts, LetterRefusedError } from "./letter-ports.ts";
import { orUnfinished } from "./or-unfinished.ts";

export type PurgeResult = {
  readonly runId: string;
  readonly id: string;
  /** Letters removed: 0 where SQS had deleted them already, or an earlier run had. */
  readonly removed: number;
};

/**
 * Deletes a discarded letter for good; its payload's digest stays in the act.
 * @throws LetterRefusedError where it is not discarded, or not all letters could be seen;
 *   LetterUnfinishedError where it has to be run again.
 */
export function purgeLetter(
  { id, requestedBy }: { readonly id: string; readonly requestedBy: string | undefined },
  run: ActRun,
  ports: LetterPorts,
): Promise<Performed<PurgeResult>> {
  return underLease(requestedBy, run, ports, async () => {
    const withheld = (await ports.marks.withheld()).find((each) => each.id === id);
    if (withheld?.kind !== "discarded") {
      throw new LetterRefusedError(
        `Record ${id} is not discarded, and only a discarded letter can be purged. Nothing was changed; discard it first, unless an earlier purge has removed it`,
      );
    }
    return findLetter(id, run, ports, async ({ copies, custody }) => {
      for (const { delivery } of copies) {
        await orUnfinished(custody.remove(delivery), (why) => halfDone(id, why));
      }
      // Last: an interrupted purge leaves it discarded, and is run again.
      await orUnfinished(ports.marks.forget(withheld), (why) => halfDone(id, why));
      const letters = copies.map(({ delivery, reason }) => ({
        id,
        outcome: "purged",
        oldReason: reason,
        digestBefore: digestOf(delivery),
      }));
      return {
        answer: { runId: run.runId, id, removed: copies.length },
        state: "done",
        counts: { purged: copies.length },
        letters,
      };
    });
  });
}

function halfDone(id: string, why: string): string {
  return `The purge of record ${id} was begun and its end is not known (${why}). Its letter may be deleted already; the record stays discarded until it is purged again`;
}
