import type { LedgerItem } from "../ledger.ts";
import { compareTurns, type Turnable } from "../replay/replay-order.ts";

/** Order of a list of letters, and of the acts that take the first ones of it: what failed first, for
 *  that is what an operator looks at. A replay goes by offset instead, for the game's sake. */
export function compareFailures(
  left: Turnable & Pick<LedgerItem, "failedAtMs">,
  right: Turnable & Pick<LedgerItem, "failedAtMs">,
): number {
  return (left.failedAtMs ?? 0) - (right.failedAtMs ?? 0) || compareTurns(left, right);
}
