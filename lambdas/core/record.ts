/** A message attribute as SQS carries it; `dataType` may have a suffix, as in `Number.float`. */
export type MessageAttribute = {
  readonly dataType: string;
  readonly stringValue?: string;
  readonly binaryValue?: Uint8Array;
};

export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;

/** One event of the game, as its handler sees it. */
export type BacklogRecord = {
  /** The record's identity for ever, unique over all keys; 1 to 256 characters. */
  readonly id: string;
  /** What order is kept for: a player, a guild. Empty only where another publisher sent it so. */
  readonly key: string;
  /** Text as it was published, or bytes where they were published as bytes. */
  readonly payload: string | Uint8Array;
  /**
   * SequenceNumber of the record's first publish: decimal text, compared as an integer, never as a
   * JavaScript number. Undefined where SQS itself moved the record and its number cannot be trusted.
   */
  readonly offset: string | undefined;
  /** {@link partitionOf} the key. */
  readonly partition: number;
  /** Milliseconds since 1970, by the publisher's clock. */
  readonly enqueuedAtMs: number;
  /** Attempts known to the ledger before this one, in this generation: 0 at the first. */
  readonly attempts: number;
  /** 0 on publish, one more with each replay. */
  readonly generation: number;
  /** The game's own message attributes, untouched; the wire format's are taken out. */
  readonly attributes: MessageAttributes;
};

/** One message of the source queue as SQS delivered it, before anyone looked inside. */
export type Delivery = {
  readonly messageId: string;
  readonly receiptHandle: string;
  /** MessageGroupId; undefined where an event carries none. */
  readonly group: string | undefined;
  /** ApproximateReceiveCount: 1 on the first receive. Grows also for a record that only waited. */
  readonly receives: number;
  readonly sequenceNumber: string | undefined;
  readonly sentAtMs: number;
  readonly firstReceivedAtMs: number;
  readonly body: string;
  readonly attributes: MessageAttributes;
};
