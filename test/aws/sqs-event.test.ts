import { describe, expect, it } from "vitest";
import { deliveryOf } from "../../lambdas/aws/sqs-event.ts";

const event = {
  messageId: "m1",
  receiptHandle: "handle",
  body: "text",
  attributes: {
    ApproximateReceiveCount: "10",
    SentTimestamp: "1700000000001",
    SenderId: "AIDA",
    ApproximateFirstReceiveTimestamp: "1700000000002",
    MessageGroupId: "5",
    SequenceNumber: "18860000000000000001",
  },
  messageAttributes: {
    key: { dataType: "Binary", binaryValue: "AQI=" },
    id: { dataType: "String", stringValue: "r1" },
    ApproximateReceiveCount: { dataType: "Number", stringValue: "1" },
  },
  md5OfBody: "",
  eventSource: "aws:sqs",
  eventSourceARN: "arn",
  awsRegion: "eu-west-1",
} as const;

describe("a record of a Lambda event", () => {
  it("takes its receive count from the system attributes, as a number", () => {
    expect(deliveryOf(event, 0)).toMatchObject({
      messageId: "m1",
      group: "5",
      receives: 10,
      sequenceNumber: "18860000000000000001",
      sentAtMs: 1_700_000_000_001,
      firstReceivedAtMs: 1_700_000_000_002,
    });
  });

  it("decodes binary attributes from base64", () => {
    expect(deliveryOf(event, 0).attributes["key"]?.binaryValue).toEqual(new Uint8Array([1, 2]));
  });

  it("is a first receive now where a local tool leaves the attributes out", () => {
    const bare = { ...event, attributes: undefined, messageAttributes: undefined };
    expect(deliveryOf(bare as never, 42)).toMatchObject({
      group: undefined,
      receives: 1,
      firstReceivedAtMs: 42,
      attributes: {},
    });
  });
});
