import { SQS_LIMITS } from "./limits.ts";
import type { BacklogRecord } from "./record.ts";

/** What names a record to the ledger. */
export type RecordRef = Pick<
  BacklogRecord,
  "id" | "key" | "partition" | "offset" | "enqueuedAtMs" | "generation"
>;

export type LedgerState = "retrying" | "dead" | "applied";

/** The record item: there is one only for records that failed, were redelivered, replayed, or carry
 *  effects. An expired item is never returned. */
export type LedgerItem = {
  readonly id: string;
  readonly generation: number;
  /** Counted calls of the handler in this generation. */
  readonly attempts: number;
  /** Which try of which invocation counted last: tells an SDK's own retry from another's write. */
  readonly attemptId: string | undefined;
  readonly state: LedgerState;
  /** SQS message of the dead copy; undefined while none is dead. */
  readonly messageId: string | undefined;
  /** Why the last attempt failed, where that is known. */
  readonly reason: string | undefined;
  readonly offset: string | undefined;
  readonly key: string;
  readonly partition: number;
  readonly enqueuedAtMs: number;
  /** When the last failure was recorded. */
  readonly failedAtMs: number | undefined;
  /** When its letter was sent again, by a renewal or an edit: its expiry counts from there. */
  readonly letterSentAtMs?: number | undefined;
};

/** Since when SQS keeps a dead record's letter; undefined where that is not known. */
export function letterSinceMs({
  failedAtMs,
  letterSentAtMs,
}: Pick<LedgerItem, "failedAtMs" | "letterSentAtMs">): number | undefined {
  if (failedAtMs === undefined || letterSentAtMs === undefined) return failedAtMs ?? letterSentAtMs;
  // A record that died again has a letter of its own.
  return Math.max(failedAtMs, letterSentAtMs);
}

/** What the ledger knows of one record. `entry` says whether a batch entry names it: `unknown` where
 *  the record's offset is unknown and the search hit its cap before an answer. */
export type Standing = {
  readonly item: LedgerItem | undefined;
  readonly entry: "named" | "absent" | "unknown";
};

/**
 * A record that a batch entry names is named by one of so many: the last ones at or before its offset.
 * An entry stands at the smallest offset of what one invocation applied. Lambda may invoke a batch
 * twice, and where the two applied different records of it, each leaves an entry of its own: up to one
 * at each offset of the batch, and none of another batch between them.
 */
export const NAMING_ENTRIES = SQS_LIMITS.batchEntries;

export type Counted =
  | { readonly kind: "counted" }
  | { readonly kind: "refused"; readonly item: LedgerItem };

export type Applied =
  | { readonly kind: "applied" }
  /** The mark's own condition failed: the record had been applied before. */
  | { readonly kind: "already" }
  /** The game's writes were refused: by its own condition, or as invalid. A failed attempt. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Effects that no attempt may write: on the ledger's own table. The record is poison. */
  | { readonly kind: "forbidden"; readonly reason: string };

/** One successful first receive, for a batch entry. */
export type EntryRecord = { readonly id: string; readonly key: string; readonly offset: string };

/**
 * Knows which records were applied. Every method throws where the outcome is unknown (throttle,
 * conflict, outage); callers then act as if nothing is known, never as if it had not happened.
 */
export interface Ledger<Effect> {
  /** Standing of each record, in the order given. Consistent reads. */
  standings(records: readonly RecordRef[]): Promise<readonly Standing[]>;

  /** Sets attempts to `attempts` if this is the next one; `refused` shows the item that stood in
   *  the way and writes nothing. `failure` goes into the same write where it is known already. */
  count(record: RecordRef, attempt: Attempt, failure?: Failure): Promise<Counted>;

  /** Takes back what `attemptId` counted, where the record is still retrying and nothing was counted
   *  since; once, however often the request arrives. The item stays, with one attempt less. */
  uncount(record: RecordRef, attemptId: string): Promise<void>;

  /** Keeps the reason of a failure whose attempt was counted before the call, so that operators
   *  see why a record is being retried. Does nothing where another attempt was counted since. */
  noteFailure(record: RecordRef, failure: Failure & { readonly attemptId: string }): Promise<void>;

  /** Marks the record dead as `messageId`; does nothing where it is applied or of a newer
   *  generation. */
  markDead(record: RecordRef, death: Death): Promise<void>;

  /** Marks the record applied, from any state. `onlyExisting` leaves a record without an item alone. */
  markApplied(record: RecordRef, options?: { readonly onlyExisting: boolean }): Promise<void>;

  /** Adds plain successes of one partition to its batch entry. Repeats merge. */
  addEntry(partition: number, records: readonly EntryRecord[]): Promise<void>;

  /** Applies the effects and the mark together, or neither. */
  applyWithEffects(record: RecordRef, effects: readonly Effect[]): Promise<Applied>;
}

export type Attempt = {
  /** Number of this attempt in its generation, 1 and up. */
  readonly attempts: number;
  readonly attemptId: string;
  readonly messageId: string;
};

export type Failure = { readonly reason: string; readonly failedAtMs: number };

export type Death = Failure & {
  readonly attempts: number;
  /** SQS message that died: a later copy of the record is another message. */
  readonly messageId: string;
  /** When its letter was sent, where that was not the moment at which it failed. */
  readonly letterSentAtMs?: number;
};
