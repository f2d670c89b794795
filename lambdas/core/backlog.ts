import type { BacklogSize } from "./alert-policy.ts";
import { type LedgerItem, letterSinceMs } from "./ledger.ts";
import { countWithheld } from "./letters/count-withheld.ts";
import { isExpired, type LetterTimes, type Retention } from "./letters/letter-expiry.ts";
import { compareOffsets } from "./wire/offset.ts";

/** One snapshot of the backlog: how many, how much, how old, and who is in the way. */
export type Backlog = BacklogSize & {
  /** Estimate: count times the average size sent while this backlog grew. Undefined where nothing
   *  is known of the sizes. */
  readonly bytes: number | undefined;
  readonly bytesIsEstimate: true;
  /** Age of the oldest record that failed at least once and waits in the source queue for its first
   *  outcome; 0 = none. Replayed ones had theirs: their time as letters was no waiting, and SQS
   *  tells since when they are back. */
  readonly oldestRetryingAgeMs: number;
  /** Messages in the dead-letter queue, without those that are discarded where these are known. */
  readonly letters: number;
  /** Discarded letters that SQS still keeps; 0 where they are not known. */
  readonly discarded: number;
  /** Time until SQS deletes the first of them; undefined where there is none, or none is known. */
  readonly nearestExpiryMs: number | undefined;
  /** The record at the head of each partition that is being retried, oldest first. */
  readonly blocked: readonly Blocked[];
};

export type Blocked = Pick<
  LedgerItem,
  "partition" | "id" | "key" | "attempts" | "generation" | "reason" | "failedAtMs"
> & { readonly ageMs: number };

/** What a snapshot is made of. */
export type BacklogParts = Retention & {
  readonly source: QueueSize;
  readonly letters: QueueSize;
  /** SQS's own measure; undefined where it reports none. */
  readonly sourceAgeMs: number | undefined;
  /** SQS's own measure, from the time that a letter came to the dead-letter queue. */
  readonly letterAgeMs: number | undefined;
  /** Average bytes of a message sent; undefined where none is known. */
  readonly averageBytes: number | undefined;
  /** The ledger's records that are retrying or dead. */
  readonly open: readonly LedgerItem[];
  /** Letters that nobody is to act on: discarded, and kept until SQS deletes them.
   *  @default - none is taken out of the counts */
  readonly withheld?: readonly LetterTimes[] | undefined;
};

/** Counts of one queue, approximate as SQS gives them. */
export type QueueSize = {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
};

/** Puts a snapshot together. Ages are never negative: publishers' clocks may be ahead. */
export function backlogOf(parts: BacklogParts): Backlog {
  const { source, sourceAgeMs, averageBytes, letters } = parts;
  const count = totalOf(source);
  const retrying = retryingOf(parts, count);
  const discarded = countDiscarded(parts);
  const oldestRetryingAgeMs = retrying
    .filter(({ generation }) => generation === 0)
    .reduce((oldest, { ageMs }) => Math.max(oldest, ageMs), 0);
  const queueAgeMs = count === 0 ? 0 : (sourceAgeMs ?? 0);
  return {
    count,
    bytes: bytesOf(count, averageBytes),
    bytesIsEstimate: true,
    oldestAgeMs: Math.max(0, queueAgeMs, oldestRetryingAgeMs),
    oldestRetryingAgeMs,
    letters: Math.max(0, totalOf(letters) - discarded),
    discarded,
    nearestExpiryMs: totalOf(letters) <= discarded ? undefined : nearestExpiry(parts),
    blocked: headsOf(retrying),
  };
}

export function totalOf({ visible, inFlight, delayed }: QueueSize): number {
  return visible + inFlight + delayed;
}

function countDiscarded(parts: BacklogParts): number {
  const { open, letters, withheld = [] } = parts;
  const listed = open.filter((item) => item.state === "dead" && !isExpired(item, parts)).length;
  return countWithheld(withheld, { ...parts, unlisted: totalOf(letters) - listed });
}

function bytesOf(count: number, averageBytes: number | undefined): number | undefined {
  if (count === 0) return 0;
  return averageBytes === undefined ? undefined : Math.round(count * averageBytes);
}

type Retrying = Blocked & Pick<LedgerItem, "offset">;

/** With nothing in the source queue nobody is blocked: what the ledger still lists as retrying was
 *  moved by SQS, or expired, and an empty queue must not raise an alarm. */
function retryingOf({ open, nowMs }: BacklogParts, count: number): readonly Retrying[] {
  if (count === 0) return [];
  return open
    .filter(({ state }) => state === "retrying")
    .map((item) => ({ ...item, ageMs: Math.max(0, nowMs - item.enqueuedAtMs) }));
}

function headsOf(retrying: readonly Retrying[]): readonly Blocked[] {
  const heads = new Map<number, Retrying>();
  for (const record of retrying) {
    const head = heads.get(record.partition);
    if (head === undefined || compareOffsets(record.offset, head.offset) < 0) {
      heads.set(record.partition, record);
    }
  }
  return [...heads.values()].map(blockedOf).toSorted((left, right) => right.ageMs - left.ageMs);
}

function blockedOf(record: Retrying): Blocked {
  const { partition, id, key, attempts, generation, reason, failedAtMs, ageMs } = record;
  return { partition, id, key, attempts, generation, reason, failedAtMs, ageMs };
}

/** The ledger knows when each of its letters died; SQS's age also covers those that it moved itself.
 *  A time that is over belongs to a letter that is gone. */
function nearestExpiry(parts: BacklogParts): number | undefined {
  const { open, nowMs, letterAgeMs, letterRetentionMs } = parts;
  const left = open
    .filter(({ state }) => state === "dead")
    .map((item) => (letterSinceMs(item) ?? nowMs) + letterRetentionMs - nowMs)
    .filter((leftMs) => leftMs > 0);
  const oldestWithheldMs = oldestWithheldAgeMs(parts);
  // SQS tells the oldest age only: up to that of the oldest discarded letter it may be that one's.
  if (letterAgeMs !== undefined && letterAgeMs > oldestWithheldMs + AGE_TOLERANCE_MS) {
    left.push(Math.max(0, letterRetentionMs - letterAgeMs));
  }
  return left.length === 0 ? undefined : left.reduce((least, next) => Math.min(least, next));
}

/** SQS's metrics lag behind, and a letter is sent a moment after its record failed. */
const AGE_TOLERANCE_MS = 300_000;

/** Of the withheld letters that SQS may still tell of; minus infinity where there is none. */
function oldestWithheldAgeMs({ withheld = [], ...parts }: BacklogParts): number {
  return withheld
    .filter((letter) => !isExpired(letter, parts))
    .map((letter) => parts.nowMs - (letterSinceMs(letter) ?? parts.nowMs))
    .reduce((oldest, ageMs) => Math.max(oldest, ageMs), Number.NEGATIVE_INFINITY);
}
