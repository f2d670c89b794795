import { reasonOf } from "../dead-letter.ts";

/** One record of the reference queue. */
export type ReferenceRecord = {
  /** Decimal text; told to handlers, never looked at. */
  readonly offset: string;
  readonly key: string;
  readonly payload: Uint8Array;
  readonly enqueuedAtMs: number;
  /** Failed calls of the handler so far. Publishing keeps what the record brings. */
  readonly attempts: number;
};

export type ReferenceLetter = {
  readonly record: ReferenceRecord;
  /** Text of the last error; may be empty. */
  readonly reason: string;
  readonly failedAtMs: number;
};

/** Done by returning, failed by throwing. */
export type ReferenceHandler = (record: ReferenceRecord) => void;

/** The text of what the call threw, which may be empty; undefined where it returned. */
export function failureOf(call: () => void): string | undefined {
  try {
    call();
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : reasonOf(thrown);
  }
}
