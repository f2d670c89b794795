import { attributesMd5, type MessageAttributes, selectAttributes } from "./message-attributes.ts";
import type { Message } from "./queue.ts";
import { receivesSoFar } from "./redrive.ts";

export type ReceivedMessage = {
  readonly MessageId: string;
  readonly ReceiptHandle: string | undefined;
  readonly MD5OfBody: string;
  readonly Body: string;
  readonly Attributes?: Readonly<Record<string, string>>;
  readonly MessageAttributes?: MessageAttributes;
  readonly MD5OfMessageAttributes?: string;
};

// Whoever sends to an embedded queue; in the form of a user's id.
const SENDER_ID = "AIDALOCALSENDER";

/** The message as ReceiveMessage returns it, with the attributes that were asked for and no others. */
export function receivedMessage(
  message: Message,
  systemNames: readonly string[],
  attributeNames: readonly string[],
): ReceivedMessage {
  const { facts, receiptHandle } = message;
  const system = systemAttributes(message).filter(
    ([name]) => systemNames.includes("All") || systemNames.includes(name),
  );
  const attributes = selectAttributes(facts.attributes, attributeNames);
  return {
    MessageId: facts.id,
    ReceiptHandle: receiptHandle,
    MD5OfBody: facts.bodyMd5,
    Body: facts.body,
    ...(system.length === 0 ? {} : { Attributes: Object.fromEntries(system) }),
    ...(attributes === undefined
      ? {}
      : { MessageAttributes: attributes, MD5OfMessageAttributes: attributesMd5(attributes) }),
  };
}

function systemAttributes(message: Message): readonly (readonly [string, string])[] {
  const { facts } = message;
  const receives = receivesSoFar(message);
  const all: readonly (readonly [string, string | number | undefined])[] = [
    ["SenderId", SENDER_ID],
    ["SentTimestamp", facts.sentAtMs],
    ["ApproximateReceiveCount", receives?.count],
    ["ApproximateFirstReceiveTimestamp", receives?.firstAtMs],
    ["MessageGroupId", facts.groupId],
    ["MessageDeduplicationId", facts.deduplicationId],
    ["SequenceNumber", facts.sequenceNumber],
    ["AWSTraceHeader", facts.traceHeader],
    ["DeadLetterQueueSourceArn", facts.deadLetterSourceArn],
  ];
  return all.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}
