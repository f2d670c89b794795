import { listActs, readAct } from "../../lambdas/aws/ledger/acts-ledger.ts";
import type { LedgerTable } from "../../lambdas/aws/ledger/ledger-table.ts";
import type { Act, ActLetter } from "../../lambdas/core/acts/act.ts";

/** One act that names the record, and what became of it there. */
export type ActOnRecord = { readonly act: Act; readonly letter: ActLetter };

/** Acts looked through, the newest first. */
export const ACTS_SEARCHED = 20;

/** The newest acts that name the record, those begun after it was published. An act with many letters
 *  does not list all of them. @throws where DynamoDB fails. */
export async function actsOnRecord(
  ledger: LedgerTable,
  { id, enqueuedAtMs }: { readonly id: string; readonly enqueuedAtMs: number },
): Promise<readonly ActOnRecord[]> {
  const newest = await listActs(ledger, ACTS_SEARCHED);
  const later = newest.filter(({ startedAtMs }) => startedAtMs >= enqueuedAtMs);
  const acts = await Promise.all(later.map(({ actId }) => readAct(ledger, actId)));
  return acts.flatMap((act) => {
    const letter = act?.letters.find((each) => each.id === id);
    return act === undefined || letter === undefined ? [] : [{ act, letter }];
  });
}
