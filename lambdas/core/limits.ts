/** Bounds of Amazon SQS that the code relies on.
 *  https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
export const SQS_LIMITS = {
  /** Entries of one SendMessageBatch, DeleteMessageBatch or ReceiveMessage. */
  batchEntries: 10,
  /** Message attributes of one message. */
  messageAttributes: 10,
  /** Bytes of one message, its body and attributes together, and of one batch. */
  messageBytes: 1_048_576,
  /** Characters of a MessageGroupId or MessageDeduplicationId. */
  idCharacters: 128,
  maxReceiveCount: 1000,
  /** Longest visibility timeout: 12 hours, counted from the first receive. */
  visibilityTimeoutSeconds: 43_200,
  retentionSeconds: { min: 60, max: 1_209_600 },
} as const;

/** Kept free in every published message so that its dead letter, which carries more attributes,
 *  still fits the queue. */
export const LETTER_RESERVE_BYTES = 4096;

/** Message attributes that a game may set itself: SQS allows 10, the wire format keeps 5. */
export const GAME_ATTRIBUTES = 5;

/** Characters (UTF-16 code units) of a record's id. */
export const RECORD_ID_CHARACTERS = 256;

/** Bytes of a dead letter's reason once it stands JSON-escaped in the message attribute. */
export const REASON_BYTES = 1024;

/** Decimal digits that SQS may give a SequenceNumber: a 128-bit number.
 *  https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
export const OFFSET_DIGITS = 39;

/** Actions of one TransactWriteItems are at most 100; one of them is the ledger's own mark.
 *  https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
export const EFFECTS_PER_RECORD = 99;

/** A partition is an SQS message group; above this many, consumers gain nothing and the snapshot's
 *  pages grow. */
export const MAX_PARTITIONS = 100_000;

/** Names go into SSM parameter paths, alarm names and the stack's name. */
export const BACKLOG_NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;

/** Version of the message format (docs/wire-format.md). */
export const WIRE_VERSION = 1;

/** Name of the hash that a publisher must take a key's partition by. */
export const PARTITION_HASH = "fnv1a-32";
