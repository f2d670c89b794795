import type { LedgerItem, Standing } from "../ledger.ts";
import type { Arrival } from "../wire/arrival.ts";

/** Whether the ledger has an answer for this very message, so that it is acknowledged without a
 *  call of the handler: applied; overtaken by a newer generation; or dead in this generation as this
 *  message. */
export function isSettled(arrival: Arrival, standing: Standing): boolean {
  return standing.entry === "named" || isSettledBy(arrival, standing.item);
}

/** {@link isSettled} by the record item alone. */
export function isSettledBy(arrival: Arrival, item: LedgerItem | undefined): boolean {
  if (item === undefined) return false;
  const { generation } = arrival.identity;
  return item.state === "applied" || item.generation > generation || isDeadAs(arrival, item);
}

/** Whether the record died as this very message. That says nothing of another message of its id. */
export function isDeadAs(arrival: Arrival, item: LedgerItem | undefined): boolean {
  return (
    item?.state === "dead" &&
    item.generation === arrival.identity.generation &&
    item.messageId === arrival.delivery.messageId
  );
}

/** Calls already counted for this message in its generation: 0 where the item is of an older one,
 *  or dead as another message of the same record. */
export function countedAttempts(arrival: Arrival, item: LedgerItem | undefined): number {
  return item !== undefined &&
    item.generation === arrival.identity.generation &&
    item.state === "retrying"
    ? item.attempts
    : 0;
}
