import { createHash, randomUUID } from "node:crypto";
import { enqueueSent } from "./enqueue.ts";
import { attributesMd5, type MessageAttributes } from "./message-attributes.ts";
import type { MessageFacts } from "./message-facts.ts";
import { millisecondsOf, type Queue } from "./queue.ts";
import { entryBytes, type SendEntry } from "./send-entry.ts";

export type SendResult = {
  readonly MessageId: string;
  readonly MD5OfMessageBody: string;
  readonly MD5OfMessageAttributes?: string;
  readonly MD5OfMessageSystemAttributes?: string;
  readonly SequenceNumber?: string;
};

/**
 * Accepts a checked entry. A duplicate within the queue's window is answered like the first, with
 * its MessageId and SequenceNumber and with the digests of what came now, and adds nothing.
 */
export function sendMessage(queue: Queue, entry: SendEntry): SendResult {
  const body = entry.MessageBody ?? "";
  const digests = digestsOf(body, entry);
  const deduplicationId = queue.fifo ? deduplicationIdOf(entry) : undefined;
  const nowMs = queue.runtime.now();
  const key = deduplicationKey(queue, entry, deduplicationId);
  const first = key === undefined ? undefined : queue.deduplication.get(key, nowMs);
  if (first !== undefined) {
    return { ...digests, MessageId: first.messageId, SequenceNumber: first.sequenceNumber };
  }
  const facts: MessageFacts = {
    id: randomUUID(),
    body,
    bodyMd5: digests.MD5OfMessageBody,
    bytes: entryBytes(entry),
    attributes: hasAny(entry.MessageAttributes) ? entry.MessageAttributes : undefined,
    traceHeader: entry.MessageSystemAttributes?.["AWSTraceHeader"]?.StringValue,
    groupId: entry.MessageGroupId,
    deduplicationId,
    sequenceNumber: queue.fifo ? queue.runtime.nextSequenceNumber() : undefined,
    sentAtMs: nowMs,
    deadLetterSourceArn: undefined,
    earlier: undefined,
  };
  enqueueSent(queue, facts, {
    delayedUntilMs: delayedUntilMs(queue, entry, nowMs),
    deduplicationKey: key,
  });
  return {
    ...digests,
    MessageId: facts.id,
    ...(facts.sequenceNumber === undefined ? {} : { SequenceNumber: facts.sequenceNumber }),
  };
}

function digestsOf(
  body: string,
  { MessageAttributes, MessageSystemAttributes }: SendEntry,
): Omit<SendResult, "MessageId"> {
  return {
    MD5OfMessageBody: createHash("md5").update(body).digest("hex"),
    ...(hasAny(MessageAttributes)
      ? { MD5OfMessageAttributes: attributesMd5(MessageAttributes) }
      : {}),
    ...(hasAny(MessageSystemAttributes)
      ? { MD5OfMessageSystemAttributes: attributesMd5(MessageSystemAttributes) }
      : {}),
  };
}

function hasAny(attributes: MessageAttributes | undefined): attributes is MessageAttributes {
  return attributes !== undefined && Object.keys(attributes).length > 0;
}

function deduplicationIdOf({ MessageDeduplicationId, MessageBody }: SendEntry): string {
  // The attributes do not count: that is how SQS defines content-based de-duplication.
  return (
    MessageDeduplicationId ??
    createHash("sha256")
      .update(MessageBody ?? "")
      .digest("hex")
  );
}

/** Undefined on a standard queue. Ids hold no space, so a key is never that of another pair. */
function deduplicationKey(
  queue: Queue,
  { MessageGroupId }: SendEntry,
  deduplicationId: string | undefined,
): string | undefined {
  const perGroup = queue.attributes["DeduplicationScope"] === "messageGroup";
  return perGroup ? `${MessageGroupId} ${deduplicationId}` : deduplicationId;
}

function delayedUntilMs(
  queue: Queue,
  { DelaySeconds }: SendEntry,
  nowMs: number,
): number | undefined {
  const delayMs =
    DelaySeconds === undefined || queue.fifo
      ? millisecondsOf(queue, "DelaySeconds")
      : DelaySeconds * 1000;
  return delayMs > 0 ? nowMs + delayMs : undefined;
}
