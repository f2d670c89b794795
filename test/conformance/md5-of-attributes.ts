import { createHash } from "node:crypto";
import type { MessageAttributeValue } from "@aws-sdk/client-sqs";

const TEXT = 1;
const BINARY = 2;

/**
 * The MD5 that SQS answers for message attributes, written from its documentation alone.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html#sqs-attributes-md5-message-digest-calculation
 */
export function md5OfAttributes(
  attributes: Readonly<Record<string, MessageAttributeValue>>,
): string {
  const hash = createHash("md5");
  const add = (bytes: Uint8Array) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const [name, { DataType = "", StringValue = "", BinaryValue }] of sorted(attributes)) {
    add(Buffer.from(name));
    add(Buffer.from(DataType));
    hash.update(Buffer.from([BinaryValue === undefined ? TEXT : BINARY]));
    add(BinaryValue ?? Buffer.from(StringValue));
  }
  return hash.digest("hex");
}

function sorted(attributes: Readonly<Record<string, MessageAttributeValue>>) {
  return Object.entries(attributes).toSorted(([left], [right]) => (left < right ? -1 : 1));
}
