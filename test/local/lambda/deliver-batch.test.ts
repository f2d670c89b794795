import type { SQSRecord } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { type Delivery, deliverBatch } from "../../../local/lambda/deliver-batch.ts";
import { sqsRecord } from "../../../local/lambda/sqs-record.ts";

const source = { queueArn: "arn:aws:sqs:us-east-1:000000000000:events.fifo", region: "us-east-1" };

function recordOf(id: string, group: string, bodyBytes = 10): SQSRecord {
  const Attributes = { MessageGroupId: group, SequenceNumber: id };
  return sqsRecord({ MessageId: id, Body: "x".repeat(bodyBytes), Attributes }, source);
}

function deliveryOf(answer: (ids: readonly string[]) => unknown, partial = true) {
  const invoked: string[][] = [];
  const removed: string[] = [];
  const delivery: Delivery = {
    reportBatchItemFailures: partial,
    async invoke(records) {
      const ids = records.map(({ messageId }) => messageId);
      invoked.push(ids);
      return answer(ids);
    },
    async remove(records) {
      removed.push(...records.map(({ messageId }) => messageId));
    },
  };
  return { delivery, invoked, removed };
}

const failing = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

describe("deliverBatch", () => {
  it("deletes what the function did not report", async () => {
    const { delivery, removed } = deliveryOf(() => failing("2"));
    const outcome = await deliverBatch(delivery, [recordOf("1", "a"), recordOf("2", "b")]);
    expect(outcome).toEqual({ kind: "delivered" });
    expect(removed).toEqual(["1"]);
  });

  it("does not look at the answer where the mapping reports no failures", async () => {
    const { delivery, removed } = deliveryOf(() => failing("1"), false);
    await deliverBatch(delivery, [recordOf("1", "a")]);
    expect(removed).toEqual(["1"]);
  });

  it("deletes nothing on a function error or an answer that makes no sense", async () => {
    const thrown = deliveryOf(() => {
      throw new Error("boom");
    });
    const strange = deliveryOf(() => failing("9"));
    const batch = [recordOf("1", "a"), recordOf("2", "b")];
    expect(await deliverBatch(thrown.delivery, batch)).toEqual({ kind: "failed", why: "boom" });
    expect(await deliverBatch(strange.delivery, batch)).toMatchObject({ kind: "failed" });
    expect([...thrown.removed, ...strange.removed]).toEqual([]);
  });

  it("lets no later event overtake what failed in an earlier one", async () => {
    const MB = 1024 * 1024;
    const batch = [
      ...["0", "1", "2", "3", "4"].map((id) => recordOf(id, id === "4" ? "b" : "a", MB)),
      recordOf("5", "a", MB),
      recordOf("6", "b", MB),
    ];
    const { delivery, invoked, removed } = deliveryOf((ids) =>
      ids.includes("3") ? failing("3") : {},
    );
    await deliverBatch(delivery, batch);
    expect(invoked).toEqual([["0", "1", "2", "3", "4"], ["6"]]);
    expect(removed).toEqual(["0", "1", "2", "4", "6"]);
  });
});
