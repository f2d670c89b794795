import type { SQSMessageAttribute, SQSMessageAttributes, SQSRecord } from "aws-lambda";
import type { Delivery, MessageAttribute, MessageAttributes } from "../core/record.ts";
import { setAttribute } from "../core/wire/set-attribute.ts";

/** One record of a Lambda event as a delivery. Attributes that the event leaves out are treated as a
 *  first receive now, which the drain can live with: it is then the late-start rule that looks. */
export function deliveryOf(record: SQSRecord, nowMs: number): Delivery {
  const { attributes } = record;
  const sentAtMs = wholeNumber(attributes?.SentTimestamp) ?? nowMs;
  return {
    messageId: record.messageId,
    receiptHandle: record.receiptHandle,
    group: attributes?.MessageGroupId,
    receives: wholeNumber(attributes?.ApproximateReceiveCount) ?? 1,
    sequenceNumber: attributes?.SequenceNumber,
    sentAtMs,
    firstReceivedAtMs: wholeNumber(attributes?.ApproximateFirstReceiveTimestamp) ?? nowMs,
    body: record.body,
    attributes: attributesOf(record.messageAttributes ?? {}),
  };
}

function attributesOf(attributes: SQSMessageAttributes): MessageAttributes {
  const read: Record<string, MessageAttribute> = {};
  for (const name of Object.keys(attributes)) {
    const attribute = attributes[name];
    if (attribute !== undefined) setAttribute(read, name, attributeOf(attribute));
  }
  return read;
}

function attributeOf({
  dataType,
  stringValue,
  binaryValue,
}: SQSMessageAttribute): MessageAttribute {
  // Nearly all attributes are text, and this runs for each of every record.
  if (binaryValue === undefined) {
    return stringValue === undefined ? { dataType } : { dataType, stringValue };
  }
  // Lambda's JSON carries bytes as base64.
  const bytes = new Uint8Array(Buffer.from(binaryValue, "base64"));
  return { dataType, ...(stringValue !== undefined && { stringValue }), binaryValue: bytes };
}

/** At most 16 digits; three such numbers are read for each record, without a regular expression. */
function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || text.length === 0 || text.length > 16) return undefined;
  let value = 0;
  for (let index = 0; index < text.length; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value;
}
