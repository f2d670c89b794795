import type { MessageFacts } from "./message-facts.ts";

/** Messages since the queue exists; they only grow. */
export type Counters = {
  sent: number;
  sentBytes: number;
  received: number;
  deleted: number;
  emptyReceives: number;
};

/** What a queue was created with, and what was set since. */
export type QueueState = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
};

/** One change of the queues' state: one line of the journal. Times are epoch milliseconds. */
export type JournalEvent =
  | { readonly kind: "queue"; readonly state: QueueState }
  | { readonly kind: "queueDeleted"; readonly queue: string; readonly atMs: number }
  | { readonly kind: "purged"; readonly queue: string; readonly atMs: number }
  | {
      readonly kind: "added";
      readonly queue: string;
      readonly facts: MessageFacts;
      readonly delayedUntilMs: number | undefined;
      /** In the message's own line: half a write must not leave an id without its message. */
      readonly deduplicationKey: string | undefined;
      /** False where the queues moved it themselves, which no metric counts as sent. */
      readonly sent: boolean;
    }
  | {
      /** A message as it stands, in place of all that happened to it before. */
      readonly kind: "kept";
      readonly queue: string;
      readonly facts: MessageFacts;
      readonly delayedUntilMs: number | undefined;
      readonly receives: number;
      readonly firstReceivedAtMs: number | undefined;
      readonly receiptHandle: string | undefined;
      readonly inFlightUntilMs: number | undefined;
    }
  | {
      readonly kind: "received";
      readonly queue: string;
      readonly id: string;
      readonly receiptHandle: string;
      readonly atMs: number;
      readonly untilMs: number;
    }
  | {
      readonly kind: "hidden";
      readonly queue: string;
      readonly id: string;
      readonly untilMs: number;
    }
  | {
      readonly kind: "removed";
      readonly queue: string;
      readonly id: string;
      /** False where it expired or was moved. */
      readonly deleted: boolean;
    }
  | {
      /** An id whose message may be gone. */
      readonly kind: "remembered";
      readonly queue: string;
      readonly key: string;
      readonly messageId: string;
      readonly sequenceNumber: string;
      readonly atMs: number;
    }
  | { readonly kind: "counters"; readonly queue: string; readonly counters: Readonly<Counters> };
