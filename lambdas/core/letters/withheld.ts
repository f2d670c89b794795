import type { LedgerItem, RecordRef } from "../ledger.ts";

/** A letter that no replay takes, though it is in the dead-letter queue. */
export type Withheld = RecordRef & {
  readonly kind: WithheldKind;
  readonly reason: string | undefined;
  readonly failedAtMs: number | undefined;
  readonly letterSentAtMs?: number | undefined;
  readonly mark: WithheldMark;
};

/** `discarded`: until somebody restores it. `editing`: while its content is replaced, or since that
 *  was interrupted; then which of its copies is the right one is not known until it is edited again. */
export type WithheldKind = "discarded" | "editing";

/** Who withheld it, when and why. */
export type WithheldMark = {
  readonly who: string | undefined;
  readonly why: string | undefined;
  readonly actId: string;
  readonly atMs: number;
};

/** Facts of an edit, which the record's item keeps. SHA-256 in hex of the payloads. */
export type Edit = { readonly digestBefore: string; readonly digestAfter: string };

/** What an edit writes into the record's item. */
export type EditMark = Edit & {
  /** @default - the item's reason stays */
  readonly reason?: string | undefined;
};

/**
 * The ledger's marks on letters, beside the rules of records. A withheld record stays dead and leaves
 * the index of open ones; whatever counts an attempt of it or buries it again puts it back there, and
 * it is withheld no more. Every method throws where the outcome is not known.
 */
export interface LetterMarks {
  /** All that are withheld, oldest mark first. */
  withheld(): Promise<readonly Withheld[]>;
  /** @returns false where the record is not dead in this generation any more; nothing was written. */
  withhold(item: LedgerItem, kind: WithheldKind, mark: WithheldMark): Promise<boolean>;
  /** Lists the record again. @returns false where it was not withheld; nothing was written. */
  release(record: RecordRef, edit?: EditMark): Promise<boolean>;
  /** Its letter is gone for good: the record is neither listed nor withheld. */
  forget(record: RecordRef): Promise<void>;
  /** Since when SQS keeps the letter: its expiry counts from there. Nothing where there is no item. */
  noteSent(id: string, sentAtMs: number): Promise<void>;
}
