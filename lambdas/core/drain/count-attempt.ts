import type { Failure, Ledger, LedgerItem } from "../ledger.ts";
import type { Arrival } from "../wire/arrival.ts";
import { countedAttempts, isDeadAs, isSettledBy } from "./standing.ts";

/** Each refusal shows the item as it is now; only writers racing on one record cause more than one. */
const TRIES = 4;

/**
 * Counts one attempt of a record. `known` is the item last seen, undefined where none was read.
 * A plain increment would charge twice when the reply to the write is lost, so the number is set
 * under a condition, and a refusal by our own earlier write is recognised by its attempt id.
 * @returns the number of this attempt, or where none is needed any more why: the record is `settled`,
 * or `dead` as this very message.
 * @throws where the ledger fails, or other writers win every time.
 */
export async function countAttempt<Effect>(
  arrival: Arrival,
  known: LedgerItem | undefined,
  attemptId: string,
  ledger: Ledger<Effect>,
  failure?: Failure,
): Promise<number | "settled" | "dead"> {
  const { identity, delivery } = arrival;
  let item = known;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const attempts = countedAttempts(arrival, item) + 1;
    const attempt = { attempts, attemptId, messageId: delivery.messageId };
    const counted = await ledger.count(identity, attempt, failure);
    if (counted.kind === "counted") return attempts;
    item = counted.item;
    if (isOurs(arrival, item, attemptId)) return item.attempts;
    if (isDeadAs(arrival, item)) return "dead";
    if (isSettledBy(arrival, item)) return "settled";
  }
  throw new Error(
    `Expected to count an attempt of record ${identity.id} within ${TRIES} tries, but other writers changed its ledger item each time. It is delivered again`,
  );
}

function isOurs({ identity }: Arrival, item: LedgerItem, attemptId: string): boolean {
  return (
    item.attemptId === attemptId &&
    item.generation === identity.generation &&
    item.state === "retrying"
  );
}
