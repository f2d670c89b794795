import type { MessageAttributes } from "../record.ts";

/** Bytes of a message as SQS counts them: the body, and of each attribute its name, type and value.
 *  https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html */
export function messageBytes(body: string, attributes: MessageAttributes): number {
  let bytes = Buffer.byteLength(body);
  for (const [name, { dataType, stringValue, binaryValue }] of Object.entries(attributes)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(dataType);
    bytes += binaryValue?.length ?? Buffer.byteLength(stringValue ?? "");
  }
  return bytes;
}
