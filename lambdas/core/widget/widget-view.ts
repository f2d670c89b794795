import { fingerprintOf } from "../fingerprint.ts";
import type { LedgerItem } from "../ledger.ts";
import { countWithheld } from "../letters/count-withheld.ts";
import { isExpired, type LetterTimes, type Retention } from "../letters/letter-expiry.ts";

/** A record that holds its partition back. */
export type BlockedPartition = {
  readonly partition: number;
  readonly id: string;
  readonly key: string;
  /** Counted calls so far. */
  readonly attempts: number;
  /** Since it was published. */
  readonly ageSeconds: number;
  readonly reason: string;
};

/** Letters of one fault. */
export type ReasonGroup = {
  readonly fingerprint: string;
  readonly letters: number;
  /** Distinct keys. */
  readonly keys: number;
};

/** What the dashboard's widget shows of a backlog. */
export type WidgetView = {
  readonly backlog: string;
  /** The oldest first, at most {@link ROWS_MAX}. */
  readonly blocked: readonly BlockedPartition[];
  readonly blockedOmitted: number;
  /** The largest first, at most {@link ROWS_MAX}. */
  readonly reasons: readonly ReasonGroup[];
  readonly reasonsOmitted: number;
  /** Letters that the ledger lists and SQS keeps. */
  readonly listed: number;
  /** Dead records whose letter SQS has deleted. */
  readonly expired: number;
  /** Letters in the queue that a replay may take, as SQS counts them; what the ledger does not list,
   *  SQS moved. */
  readonly queued: number;
  /** Letters in the queue that no replay takes: they are discarded, or their content is replaced. */
  readonly withheld: number;
};

/** Rows of a table: a dashboard is no place to scroll in. */
export const ROWS_MAX = 15;

export type WidgetSource = Retention & {
  readonly backlog: string;
  /** Retrying and dead records, the longest published first. */
  readonly open: readonly LedgerItem[];
  /** Letters in the queue. */
  readonly queued: number;
  /** Letters that are discarded, or whose content is replaced; those among them that SQS has deleted
   *  by now do not count. */
  readonly withheld: readonly LetterTimes[];
};

/** Sums up who is blocked, and the letters by reason. */
export function widgetView(source: WidgetSource): WidgetView {
  const { backlog, open, nowMs } = source;
  const dead = open.filter(({ state }) => state === "dead");
  const living = dead.filter((item) => !isExpired(item, source));
  const unlisted = source.queued - living.length;
  const withheld = countWithheld(source.withheld, { ...source, unlisted });
  const blocked = open
    .filter(({ state }) => state === "retrying")
    .map((item) => blockedBy(item, nowMs));
  const reasons = reasonsOf(living);
  return {
    backlog,
    blocked: blocked.slice(0, ROWS_MAX),
    blockedOmitted: Math.max(0, blocked.length - ROWS_MAX),
    reasons: reasons.slice(0, ROWS_MAX),
    reasonsOmitted: Math.max(0, reasons.length - ROWS_MAX),
    listed: living.length,
    expired: dead.length - living.length,
    // SQS's count may be a minute behind.
    queued: Math.max(0, source.queued - withheld),
    withheld,
  };
}

function blockedBy(item: LedgerItem, nowMs: number): BlockedPartition {
  const { partition, id, key, attempts, enqueuedAtMs, reason = UNKNOWN } = item;
  // A publisher's clock may be ahead.
  const ageSeconds = Math.max(0, Math.round((nowMs - enqueuedAtMs) / 1000));
  return { partition, id, key, attempts, ageSeconds, reason };
}

const UNKNOWN = "not known";

function reasonsOf(dead: readonly LedgerItem[]): readonly ReasonGroup[] {
  const groups = Map.groupBy(dead, ({ reason }) => fingerprintOf(reason ?? UNKNOWN));
  return [...groups]
    .map(([fingerprint, letters]) => ({
      fingerprint,
      letters: letters.length,
      keys: new Set(letters.map(({ key }) => key)).size,
    }))
    .toSorted((left, right) => right.letters - left.letters);
}
