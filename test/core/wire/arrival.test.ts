import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partitionOf } from "../../../lambdas/core/partition.ts";
import type {
  Delivery,
  MessageAttribute,
  MessageAttributes,
} from "../../../lambdas/core/record.ts";
import { groupOf, readArrival } from "../../../lambdas/core/wire/arrival.ts";
import { encodeOutgoing, type OutgoingRecord } from "../../../lambdas/core/wire/outgoing.ts";
import { encodeLetter, encodeReplay } from "../../../lambdas/core/wire/wire-metadata.ts";

const PARTITIONS = 16;

function deliveryOf(given: Partial<Delivery> = {}): Delivery {
  return {
    messageId: "message-1",
    receiptHandle: "handle",
    group: "13",
    receives: 1,
    sequenceNumber: "18849496460467696128",
    sentAtMs: 2000,
    firstReceivedAtMs: 3000,
    body: "body",
    attributes: attributesOf(),
    ...given,
  };
}

function attributesOf(given: Readonly<Record<string, string | MessageAttribute | undefined>> = {}) {
  const all = { id: "record-1", key: "order-1", enqueuedAt: "1000", ...given };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]): [string, MessageAttribute][] => {
      if (value === undefined) return [];
      return [
        [name, typeof value === "string" ? { dataType: "String", stringValue: value } : value],
      ];
    }),
  );
}

/** What the game publishes, delivered. */
function published(record: OutgoingRecord, more: MessageAttributes = {}): Delivery {
  const defaults = { id: "record-1", enqueuedAtMs: 1000 };
  const encoded = encodeOutgoing(record, defaults, PARTITIONS);
  if (encoded.kind === "refused") throw new Error(encoded.reason);
  const { body, group, attributes } = encoded.message;
  return deliveryOf({ body, group, attributes: { ...attributes, ...more } });
}

const attribute = fc.record(
  {
    dataType: fc.string(),
    stringValue: fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.nat().map(String)),
    binaryValue: fc.uint8Array(),
  },
  { requiredKeys: ["dataType"] },
) as fc.Arbitrary<MessageAttribute>;
const attributeName = fc.oneof(
  fc.constantFrom("id", "key", "enqueuedAt", "encoding", "replay", "deadLetter", "__proto__"),
  fc.string(),
);
const anyDelivery: fc.Arbitrary<Delivery> = fc.record({
  messageId: fc.string({ minLength: 1 }),
  receiptHandle: fc.string(),
  group: fc.option(fc.oneof(fc.nat(20).map(String), fc.string()), { nil: undefined }),
  receives: fc.nat(),
  sequenceNumber: fc.option(fc.string(), { nil: undefined }),
  sentAtMs: fc.nat(),
  firstReceivedAtMs: fc.nat(),
  body: fc.string({ unit: "binary" }),
  attributes: fc.dictionary(attributeName, attribute),
});

describe("a message that was delivered", () => {
  it("is read without an error, whatever it holds, and can be listed under something", () => {
    fc.assert(
      fc.property(anyDelivery, (delivery) => {
        const arrival = readArrival(delivery, PARTITIONS);
        const { id, partition, generation, enqueuedAtMs } = arrival.identity;
        expect(id).not.toBe("");
        expect(partition).toBeGreaterThanOrEqual(0);
        expect(partition).toBeLessThan(PARTITIONS);
        expect(generation).toBeGreaterThanOrEqual(0);
        expect(Number.isSafeInteger(enqueuedAtMs)).toBe(true);
        expect(typeof groupOf(arrival)).toBe("string");
      }),
      { numRuns: 1000 },
    );
  });

  it("is the record that was published, whatever its key, payload and attributes", () => {
    const shard = { dataType: "Number.int", stringValue: "7" };
    const key = fc.string({ unit: "binary", minLength: 1 });
    const payload = fc.oneof(fc.string(), fc.uint8Array({ minLength: 1 }));
    fc.assert(
      fc.property(key, payload, (key, payload) => {
        const arrival = readArrival(published({ key, payload, attributes: { shard } }), PARTITIONS);
        expect(arrival.identity).toEqual({
          id: "record-1",
          key,
          partition: partitionOf(key, PARTITIONS),
          offset: "18849496460467696128",
          enqueuedAtMs: 1000,
          generation: 0,
        });
        expect(arrival.replayed).toBe(false);
        expect(groupOf(arrival)).toBe(String(arrival.identity.partition));
        expect(arrival.content).toMatchObject({ kind: "readable", attributes: { shard } });
        if (arrival.content.kind === "readable") {
          expect(Buffer.from(arrival.content.payload)).toEqual(Buffer.from(payload));
        }
      }),
    );
  });

  it("keeps the offset, time and generation of the first publish when it is a replay", () => {
    const mark = { generation: 2, offset: "77", enqueuedAtMs: 5, runId: "run" };
    const arrival = readArrival(
      published({ key: "order-1", payload: "x" }, { replay: encodeReplay(mark) }),
      PARTITIONS,
    );
    expect(arrival).toMatchObject({
      replayed: true,
      identity: { offset: "77", enqueuedAtMs: 5, generation: 2 },
      content: { kind: "readable" },
    });
  });

  it("counts as a replay of its own generation when SQS's own redrive moved a letter back", () => {
    const deadLetter = encodeLetter({
      partition: 13,
      offset: undefined,
      generation: 1,
      attempts: 3,
      reason: "no gold",
      failedAtMs: 9,
      enqueuedAtMs: 5,
    });
    const arrival = readArrival(
      published({ key: "order-1", payload: "x" }, { deadLetter }),
      PARTITIONS,
    );
    expect(arrival).toMatchObject({
      replayed: true,
      identity: { offset: undefined, enqueuedAtMs: 5, generation: 1 },
      content: { kind: "readable", attributes: {} },
    });
  });

  it.each([
    { why: "no id", given: { id: undefined }, says: "`id` attribute is missing" },
    { why: "a long id", given: { id: "x".repeat(257) }, says: "`id` is not 1 to 256 characters" },
    {
      why: "a key of no UTF-8",
      given: { key: { dataType: "Binary", binaryValue: Uint8Array.of(0xff) } },
      says: "`key` is neither text nor the UTF-8 bytes of one",
    },
    { why: "a time that is none", given: { enqueuedAt: "soon" }, says: "`enqueuedAt` is not" },
    { why: "a body of no base64", given: { encoding: "base64" }, says: "the body does not fit" },
    { why: "an unknown encoding", given: { encoding: "gzip" }, says: "the body does not fit" },
    {
      why: "an encoding of bytes",
      given: { encoding: { dataType: "Binary", binaryValue: Uint8Array.of(1) } },
      says: "the body does not fit",
    },
    { why: "a broken replay mark", given: { replay: "{}" }, says: "the `replay` attribute" },
    { why: "a broken letter", given: { deadLetter: "{}" }, says: "the `deadLetter` attribute" },
  ])("is malformed with $why, and says so", ({ given, says }) => {
    const { content } = readArrival(
      deliveryOf({ body: "a body", attributes: attributesOf(given) }),
      PARTITIONS,
    );
    expect(content).toMatchObject({ kind: "malformed" });
    expect(content.kind === "malformed" && content.reason).toContain("malformed message: ");
    expect(content.kind === "malformed" && content.reason).toContain(says);
  });

  it("names every fault at once", () => {
    const attributes = attributesOf({ id: undefined, encoding: "gzip" });
    const { content } = readArrival(deliveryOf({ attributes }), PARTITIONS);
    expect(content).toEqual({
      kind: "malformed",
      reason:
        "malformed message: the `id` attribute is missing; the body does not fit the `encoding` attribute",
    });
  });

  it("goes by its MessageId and its group where it has no id and no key that can be read", () => {
    const key = { dataType: "Binary", binaryValue: Uint8Array.of(0xff) };
    const attributes = attributesOf({ id: undefined, key });
    const at = (group: string) => readArrival(deliveryOf({ attributes, group }), PARTITIONS);
    expect(at("9").identity).toMatchObject({ id: "message-1", key: "", partition: 9 });
    expect(at("16").identity.partition).toBe(0);
    expect(at("guild").identity.partition).toBe(0);
  });

  it("has the empty key without a `key` attribute, as other publishers may send it", () => {
    const attributes = attributesOf({ key: undefined });
    const arrival = readArrival(deliveryOf({ attributes }), PARTITIONS);
    expect(arrival.identity).toMatchObject({ key: "", partition: 5 });
    expect(arrival.content.kind).toBe("readable");
  });

  it("goes by SQS's time of sending where it says no other", () => {
    const attributes = attributesOf({ enqueuedAt: undefined });
    expect(readArrival(deliveryOf({ attributes }), PARTITIONS).identity.enqueuedAtMs).toBe(2000);
  });

  it("belongs to its key's partition where the event carries no group", () => {
    expect(groupOf(readArrival(deliveryOf({ group: undefined }), PARTITIONS))).toBe("13");
    expect(groupOf(readArrival(deliveryOf({ group: "4" }), PARTITIONS))).toBe("4");
  });
});
