import type { Clock } from "../clock.ts";
import type { Ledger, LedgerItem } from "../ledger.ts";
import type { Delivery, MessageAttributes } from "../record.ts";
import type { Settings } from "../settings.ts";

/** Everything a replay needs from outside. */
export type ReplayPorts = {
  readonly letters: LetterQueue;
  readonly source: ReplaySource;
  readonly records: Pick<Ledger<never>, "standings" | "markApplied" | "markDead">;
  readonly ledger: ReplayLedger;
  readonly clock: Clock;
  readonly settings: Settings;
};

/** A message to be sent, to either queue. */
export type OutgoingMessage = {
  readonly body: string;
  readonly attributes: MessageAttributes;
  readonly group: string;
  readonly deduplicationId: string;
};

/** What became of a send. Only `refused` says that the message is not in the queue. */
export type SendOutcome =
  | { readonly kind: "accepted"; readonly messageId: string }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string };

/** The source queue as a replay needs it. */
export interface ReplaySource {
  send(message: OutgoingMessage): Promise<SendOutcome>;
}

/** A message in hand: SQS hides it from others until its visibility timeout ends. */
export type Held = Pick<Delivery, "messageId" | "receiptHandle">;

/** The dead-letter queue as a replay needs it. Every method but `send` throws on failure. */
export interface LetterQueue {
  /** At most ten messages, hidden from others for `visibilitySeconds`. Waits a moment for the first,
   *  so that no answer of a part of SQS's servers passes for an empty queue. */
  receive(visibilitySeconds: number): Promise<readonly Delivery[]>;
  /** Approximate, and up to a minute behind. */
  size(): Promise<{ readonly visible: number; readonly inFlight: number }>;
  send(message: OutgoingMessage): Promise<SendOutcome>;
  remove(letter: Held): Promise<void>;
  /** Makes messages visible again. Those that SQS refuses come back when their timeout runs out. */
  giveBack(letters: readonly Held[]): Promise<void>;
}

export type Lease = {
  readonly runId: string;
  readonly who: string;
  readonly sinceMs: number;
  /** From this moment on another run may take the lease. */
  readonly expiresAtMs: number;
};

/** The running replay, or the act that holds its lease. */
export type RunningLease = Lease & {
  /** Whether somebody asked this run to send no more. */
  readonly cancelled: boolean;
};

/** What one batch of plain successes left in the ledger. */
export type BatchEntry = {
  /** Smallest offset of the batch. */
  readonly offset: string;
  readonly ids: ReadonlySet<string>;
  /** Hashes of the keys, each once. Two keys may share one. */
  readonly keyHashes: readonly number[];
  readonly appliedAtMs: number;
};

/** A page of batch entries, newest first. */
export type EntryPage = { readonly entries: readonly BatchEntry[]; readonly end: boolean };

/** The ledger as a replay needs it, besides the records' own rules. Every method throws where the
 *  outcome is unknown. */
export interface ReplayLedger {
  /** Tells one stack's ledger from another's: the table's name. */
  readonly name: string;
  /** Resolves to the run that holds the lease, or to undefined once this one does. */
  acquireLease(lease: Lease): Promise<Omit<Lease, "expiresAtMs"> | undefined>;
  /** Does nothing where another run holds the lease. */
  releaseLease(runId: string): Promise<void>;
  /** Who holds the lease now; nobody where it was released or has expired. */
  currentLease(): Promise<RunningLease | undefined>;
  /** Asks the run to send no more. @returns false where it does not hold the lease. */
  requestCancel(runId: string): Promise<boolean>;
  /** Batch entries of one partition at or before an offset (undefined = all), newest first; fewer than
   *  `limit` only at their end, and some more where DynamoDB cut a page short. Consistently read. */
  batchEntries(partition: number, upTo: string | undefined, limit: number): Promise<EntryPage>;
  /** Dead records by the index, of one partition or of all. May lag a moment behind. */
  deadRecords(partition: number | undefined): Promise<readonly LedgerItem[]>;
  /** Record items by id, consistently read; ids without one are left out. */
  items(ids: readonly string[]): Promise<ReadonlyMap<string, LedgerItem>>;
}
