import type { SQSRecord } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { eventParts } from "../../../local/lambda/event-parts.ts";
import { sqsRecord } from "../../../local/lambda/sqs-record.ts";

const source = { queueArn: "arn:aws:sqs:us-east-1:000000000000:events.fifo", region: "us-east-1" };

function recordsOf(count: number, bodyBytes: number): readonly SQSRecord[] {
  return Array.from({ length: count }, (_, index) =>
    sqsRecord({ MessageId: String(index), Body: "x".repeat(bodyBytes) }, source),
  );
}

const idsOf = (parts: readonly (readonly SQSRecord[])[]) =>
  parts.map((part) => part.map(({ messageId }) => messageId).join(""));

describe("eventParts", () => {
  it("keeps a batch in one event", () => {
    expect(idsOf(eventParts(recordsOf(10, 1000)))).toEqual(["0123456789"]);
  });

  it("cuts ten messages of 1 MiB into events of at most 6 MB, order kept", () => {
    const parts = eventParts(recordsOf(10, 1024 * 1024));
    expect(idsOf(parts)).toEqual(["01234", "56789"]);
    for (const part of parts) {
      expect(JSON.stringify({ Records: part }).length).toBeLessThanOrEqual(6 * 1024 * 1024);
    }
  });

  it("makes no event of no message", () => {
    expect(eventParts([])).toEqual([]);
  });
});
