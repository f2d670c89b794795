import type { MessageAttributes } from "./message-attributes.ts";

/** What is true of a message for as long as it is in one queue. */
export type MessageFacts = {
  readonly id: string;
  readonly body: string;
  readonly bodyMd5: string;
  /** Of the body and the attributes. */
  readonly bytes: number;
  readonly attributes: MessageAttributes | undefined;
  readonly traceHeader: string | undefined;
  readonly groupId: string | undefined;
  /** Undefined on a standard queue, like the sequence number. */
  readonly deduplicationId: string | undefined;
  readonly sequenceNumber: string | undefined;
  readonly sentAtMs: number;
  /** Set where the redrive policy of that queue brought the message here. */
  readonly deadLetterSourceArn: string | undefined;
  /** Receives in the queue that it came from; the count that SQS shows goes on from there. */
  readonly earlier: EarlierReceives | undefined;
};

export type EarlierReceives = { readonly count: number; readonly firstAtMs: number };
