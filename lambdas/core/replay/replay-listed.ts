import type { LedgerItem } from "../ledger.ts";
import { isExpired, retentionAt } from "../letters/letter-expiry.ts";
import { matchesFilter, type ReplayFilter } from "./replay-filter.ts";
import { compareTurns } from "./replay-order.ts";
import type { ReplayPorts } from "./replay-ports.ts";

/** Dead records that the ledger lists. It remembers them longer than SQS keeps their letters. */
export type Listed = {
  /** Those whose letters may be in the dead-letter queue. */
  readonly living: readonly LedgerItem[];
  /** Those whose letters SQS has surely deleted. */
  readonly expired: readonly LedgerItem[];
};

export function listedOf(
  items: readonly LedgerItem[],
  { clock, settings }: Pick<ReplayPorts, "clock" | "settings">,
): Listed {
  const retention = retentionAt(clock.nowMs(), settings);
  const { living = [], expired = [] } = Object.groupBy(
    items.filter(({ state }) => state === "dead"),
    (item) => (isExpired(item, retention) ? "expired" : "living"),
  );
  return { living, expired };
}

/** Those that the filter wants, oldest first. */
export function matchingIn({ living, expired }: Listed, filter: ReplayFilter): Listed {
  const matching = (items: readonly LedgerItem[]): readonly LedgerItem[] =>
    items.filter((item) => matchesFilter(filter, item)).toSorted(compareTurns);
  return { living: matching(living), expired: matching(expired) };
}
