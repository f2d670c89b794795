import type { Message, MessageAttributeValue } from "@aws-sdk/client-sqs";
import type { SQSMessageAttribute, SQSRecord, SQSRecordAttributes } from "aws-lambda";

/** Where a mapping's messages come from. */
export type EventSource = { readonly queueArn: string; readonly region: string };

/** One received message as Lambda hands it to a function.
 *  https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html#example-fifo-queue-message-event */
export function sqsRecord(message: Message, { queueArn, region }: EventSource): SQSRecord {
  const md5OfMessageAttributes = message.MD5OfMessageAttributes;
  return {
    messageId: message.MessageId ?? "",
    receiptHandle: message.ReceiptHandle ?? "",
    body: message.Body ?? "",
    attributes: { ...message.Attributes } as unknown as SQSRecordAttributes,
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [
        name,
        recordAttribute(value),
      ]),
    ),
    ...(md5OfMessageAttributes === undefined ? {} : { md5OfMessageAttributes }),
    md5OfBody: message.MD5OfBody ?? "",
    eventSource: "aws:sqs",
    eventSourceARN: queueArn,
    awsRegion: region,
  };
}

function recordAttribute(value: MessageAttributeValue): SQSMessageAttribute {
  const binary = value.BinaryValue;
  return {
    ...(value.StringValue === undefined ? {} : { stringValue: value.StringValue }),
    ...(binary === undefined ? {} : { binaryValue: Buffer.from(binary).toString("base64") }),
    stringListValues: [],
    binaryListValues: [],
    dataType: value.DataType ?? "String",
  };
}
