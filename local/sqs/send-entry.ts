import { SQS_LIMITS } from "../../lambdas/core/limits.ts";
import {
  attributesBytes,
  isBinary,
  type MessageAttribute,
  type MessageAttributes,
} from "./message-attributes.ts";
import type { Queue } from "./queue.ts";
import { invalidParameter, invalidValue, missingParameter, sqsError } from "./sqs-errors.ts";

/** A message as SendMessage and the entries of SendMessageBatch bring it. */
export type SendEntry = {
  readonly Id?: string;
  readonly MessageBody?: string;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
  readonly DelaySeconds?: number;
  readonly MessageAttributes?: MessageAttributes;
  readonly MessageSystemAttributes?: MessageAttributes;
};

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
const REFUSED_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const FIFO_ID = /^[\x21-\x7e]{1,128}$/;
const LONGEST_DELAY_SECONDS = 900;
const ATTRIBUTE_NAME = /^(?!aws\.|amazon\.|\.)(?!.*\.\.)[\w.-]{1,256}(?<!\.)$/i;
const ATTRIBUTE_TYPE = /^(String|Number|Binary)(\..+)?$/;
const ATTRIBUTE_TYPE_CHARACTERS = 256;

/** Bytes that SQS counts for a message: its body and its attributes. */
export function entryBytes({ MessageBody, MessageAttributes }: SendEntry): number {
  return Buffer.byteLength(MessageBody ?? "") + attributesBytes(MessageAttributes ?? {});
}

/** @throws ServiceError for a body, an attribute or an id that SQS refuses. */
export function checkSendEntry(queue: Queue, entry: SendEntry): void {
  if (!entry.MessageBody) throw missingParameter("MessageBody");
  if (REFUSED_CHARACTER.test(entry.MessageBody)) {
    throw sqsError(
      "InvalidMessageContents",
      "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF",
    );
  }
  const maxBytes = Number(queue.attributes["MaximumMessageSize"]);
  if (entryBytes(entry) > maxBytes) {
    throw invalidParameter(
      `One or more parameters are invalid. Reason: Message must be shorter than ${maxBytes} bytes.`,
    );
  }
  checkAttributes(entry.MessageAttributes ?? {});
  checkFifoId("MessageGroupId", entry.MessageGroupId);
  checkFifoId("MessageDeduplicationId", entry.MessageDeduplicationId);
  checkDelay(queue, entry.DelaySeconds);
}

/**
 * What a FIFO queue needs beside. A batch with one entry that lacks it fails as a whole, and with
 * another code than a single message: hence `batch`.
 * @throws ServiceError MissingParameter or InvalidParameterValue
 */
export function checkFifoIds(
  queue: Queue,
  entry: SendEntry,
  { batch }: { readonly batch: boolean },
): void {
  if (!queue.fifo) return;
  if (!entry.MessageGroupId) {
    throw batch
      ? invalidParameter("The request must contain the parameter MessageGroupId.")
      : missingParameter("MessageGroupId");
  }
  if (!entry.MessageDeduplicationId && queue.attributes["ContentBasedDeduplication"] !== "true") {
    throw invalidParameter(
      "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
    );
  }
}

function checkFifoId(parameter: string, id: string | undefined): void {
  if (id === undefined || id === null || FIFO_ID.test(id)) return;
  const reason = `${parameter} can only include alphanumeric and punctuation characters. 1 to 128 in length.`;
  throw invalidValue(parameter, id, reason);
}

function checkDelay(queue: Queue, seconds: number | undefined): void {
  if (seconds === undefined || seconds === null) return;
  if (queue.fifo && seconds !== 0) {
    const reason = "The request include parameter that is not valid for this queue type.";
    throw invalidValue("DelaySeconds", seconds, reason);
  }
  if (!(Number.isInteger(seconds) && seconds >= 0 && seconds <= LONGEST_DELAY_SECONDS)) {
    const reason = `DelaySeconds must be >= 0 and <= ${LONGEST_DELAY_SECONDS}.`;
    throw invalidValue("DelaySeconds", seconds, reason);
  }
}

function checkAttributes(attributes: MessageAttributes): void {
  const entries = Object.entries(attributes);
  const max = SQS_LIMITS.messageAttributes;
  if (entries.length > max) {
    throw invalidParameter(
      `Number of message attributes [${entries.length}] exceeds the allowed maximum [${max}].`,
    );
  }
  for (const [name, attribute] of entries) checkAttribute(name, attribute);
}

function checkAttribute(name: string, attribute: MessageAttribute): void {
  const { DataType, StringValue, BinaryValue } = attribute;
  const refuse = (reason: string): Error =>
    invalidParameter(`Message (user) attribute '${name}' ${reason}`);
  if (!ATTRIBUTE_NAME.test(name)) {
    throw invalidParameter(`Message (user) attribute name '${name}' is invalid.`);
  }
  if (!ATTRIBUTE_TYPE.test(DataType ?? "") || DataType.length > ATTRIBUTE_TYPE_CHARACTERS) {
    throw refuse(`has an invalid message attribute type '${DataType}'.`);
  }
  const value = isBinary(attribute) ? BinaryValue : StringValue;
  if (!value) throw refuse(`must contain a non-empty value of type '${DataType}'.`);
  if (StringValue !== undefined && REFUSED_CHARACTER.test(StringValue)) {
    throw refuse("value contains a character that is not allowed.");
  }
  if (DataType.startsWith("Number") && Number.isNaN(Number(StringValue))) {
    throw refuse(`value '${StringValue}' is not a number.`);
  }
}
