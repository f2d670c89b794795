import type { MessageAttributeValue } from "@aws-sdk/client-sqs";
import type { MessageAttribute, MessageAttributes } from "../core/record.ts";

/** Message attributes as the SDK sends them. */
export function toSdkAttributes(
  attributes: MessageAttributes,
): Record<string, MessageAttributeValue> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [name, toSdkAttribute(attribute)]),
  );
}

/** Message attributes as a receive of the SDK gives them; undefined = none. An attribute without a
 *  data type, which SQS never sends, counts as text. One named `__proto__` is not among them: the
 *  SDK loses its value, and the publisher refuses the name. */
export function fromSdkAttributes(
  attributes: Readonly<Record<string, MessageAttributeValue | undefined>> | undefined,
): MessageAttributes {
  return Object.fromEntries(
    Object.entries(attributes ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, fromSdkAttribute(value)]],
    ),
  );
}

function toSdkAttribute({
  dataType,
  stringValue,
  binaryValue,
}: MessageAttribute): MessageAttributeValue {
  return {
    DataType: dataType,
    ...(stringValue !== undefined && { StringValue: stringValue }),
    ...(binaryValue !== undefined && { BinaryValue: binaryValue }),
  };
}

function fromSdkAttribute({
  DataType = "String",
  StringValue,
  BinaryValue,
}: MessageAttributeValue): MessageAttribute {
  return {
    dataType: DataType,
    ...(StringValue !== undefined && { stringValue: StringValue }),
    ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
  };
}
