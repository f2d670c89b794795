import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partitionOf } from "../../../lambdas/core/partition.ts";
import type { MessageAttribute } from "../../../lambdas/core/record.ts";
import { encodeOutgoing, type OutgoingRecord } from "../../../lambdas/core/wire/outgoing.ts";

const DEFAULTS = { id: "made-id", enqueuedAtMs: 1_700_000_000_000 };

const encode = (given: Partial<OutgoingRecord> = {}) =>
  encodeOutgoing({ key: "order-1", payload: "x", ...given }, DEFAULTS, 16);

function encoded(given: Partial<OutgoingRecord> = {}) {
  const result = encode(given);
  if (result.kind === "refused") throw new Error(result.reason);
  return result.message;
}

const text = (stringValue: string, dataType = "String"): MessageAttribute => ({
  dataType,
  stringValue,
});

/** Body size at which a record of key "order-1" and a 7 character id is exactly at the limit. */
const LARGEST_BODY = 1_048_576 - 4096 - 60;

describe("a record to be published", () => {
  it("becomes the message of the wire format", () => {
    const shard = text("7", "Number.int");
    expect(encoded({ id: "grant-1", payload: '{"gold":5}', attributes: { shard } })).toEqual({
      id: "grant-1",
      partition: 13,
      group: "13",
      deduplicationId: "grant-1",
      body: '{"gold":5}',
      attributes: {
        id: text("grant-1"),
        key: text("order-1"),
        enqueuedAt: text("1700000000000", "Number"),
        shard,
      },
      bytes: 10 + 15 + 16 + 29 + 16,
    });
  });

  it("takes the id and the time that it brings, else those that are made", () => {
    expect(encoded().id).toBe("made-id");
    expect(encoded({ id: "own" }).id).toBe("own");
    expect(encoded({ enqueuedAtMs: 0 }).attributes["enqueuedAt"]).toEqual(text("0", "Number"));
  });

  it("has a group and a de-duplication id that SQS takes, whatever its key and id", () => {
    const id = fc.string({ minLength: 1, maxLength: 256 });
    const key = fc.string({ unit: "binary", minLength: 1, maxLength: 3000, size: "max" });
    fc.assert(
      fc.property(id, key, (id, key) => {
        const message = encoded({ id, key });
        expect(message.group).toBe(String(partitionOf(key, 16)));
        expect(message.deduplicationId).toMatch(/^[!-~]{1,128}$/);
      }),
    );
  });

  it.each([
    { payload: "", encoding: "empty" },
    { payload: "a\u0000", encoding: "base64" },
    { payload: Uint8Array.of(0xff), encoding: "base64" },
    { payload: "text", encoding: undefined },
  ])("says the encoding $encoding of $payload", ({ payload, encoding }) => {
    expect(encoded({ payload }).attributes["encoding"]?.stringValue).toBe(encoding);
  });

  it("may fill all but the 4 KiB that its dead letter needs", () => {
    expect(encoded({ payload: "x".repeat(LARGEST_BODY) }).bytes).toBe(1_044_480);
    expect(encode({ payload: "x".repeat(LARGEST_BODY + 1) })).toEqual({
      kind: "refused",
      id: "made-id",
      reason: expect.stringContaining(
        "at most 1044480 bytes, body and attributes together, got 1044481",
      ),
    });
  });

  it("is measured in UTF-8 bytes, and as base64 where it travels so", () => {
    expect(encode({ payload: "中".repeat(LARGEST_BODY / 3 + 1) }).kind).toBe("refused");
    expect(encode({ payload: new Uint8Array(800_000).fill(0xff) }).kind).toBe("refused");
    expect(encode({ payload: new Uint8Array(780_000).fill(0xff) }).kind).toBe("message");
  });

  it.each<{ given: Record<string, unknown>; says: string }>([
    { given: { key: "" }, says: "`key` to name what order is kept for" },
    { given: { key: "a\ud800" }, says: "`key` without lone surrogates" },
    { given: { key: 7 }, says: "`key` to be text, got `7`" },
    { given: { key: undefined }, says: "`key` to be text, got `undefined`" },
    { given: { payload: "a\udfff" }, says: "`payload` without lone surrogates" },
    { given: { payload: { gold: 5 } }, says: "`payload` to be text or a Uint8Array, got `object`" },
    { given: { id: "" }, says: "`id` to be 1 to 256 characters" },
    { given: { id: "x".repeat(257) }, says: "and 177 more characters" },
    { given: { id: "a\u0000" }, says: "none of them a control character" },
    { given: { id: "\ud800" }, says: "or a lone surrogate" },
    { given: { id: 7 }, says: "got `7`" },
    { given: { enqueuedAtMs: -1 }, says: "`enqueuedAtMs` to be whole milliseconds" },
    { given: { enqueuedAtMs: 1.5 }, says: "got `1.5`" },
  ])("is refused for $given", ({ given, says }) => {
    const result = encode(given as Partial<OutgoingRecord>);
    expect(result.kind === "refused" && result.reason).toContain(says);
  });

  it("names every broken rule, and its id", () => {
    const result = encode({ id: "grant-1", key: "", payload: "\ud800", enqueuedAtMs: -1 });
    expect(result).toMatchObject({ kind: "refused", id: "grant-1" });
    expect(result.kind === "refused" && result.reason.split("; ")).toHaveLength(4);
  });
});

describe("a game's own attributes", () => {
  it.each(["id", "key", "enqueuedAt", "encoding", "replay", "deadLetter"])(
    "may not be named %s",
    (name) => {
      const result = encode({ attributes: { [name]: text("x") } });
      expect(result.kind === "refused" && result.reason).toContain(
        `"${name}": the name is reserved`,
      );
    },
  );

  it("are at most five", () => {
    const some = (count: number) =>
      encode({
        attributes: Object.fromEntries(
          Array.from({ length: count }, (_, n) => [`a${n}`, text("x")]),
        ),
      });
    expect(some(5).kind).toBe("message");
    const six = some(6);
    expect(six.kind === "refused" && six.reason).toContain("at most 5 attributes");
  });

  it("may be named like an object's members", () => {
    const attributes = Object.fromEntries([
      ["toString", text("x")],
      ["constructor", text("y")],
    ]);
    expect(Object.entries(encoded({ attributes }).attributes)).toEqual(
      expect.arrayContaining(Object.entries(attributes)),
    );
  });

  it.each<{ name: string; attribute: Record<string, unknown>; says: string }>([
    { name: "a b", attribute: text("x"), says: "SQS refuses the name" },
    { name: "__proto__", attribute: text("x"), says: "the AWS SDK loses its value" },
    { name: "", attribute: text("x"), says: "SQS refuses the name" },
    { name: ".a", attribute: text("x"), says: "SQS refuses the name" },
    { name: "a..b", attribute: text("x"), says: "SQS refuses the name" },
    { name: "AWS.x", attribute: text("x"), says: "SQS refuses the name" },
    { name: "amazon.x", attribute: text("x"), says: "SQS refuses the name" },
    { name: "a".repeat(257), attribute: text("x"), says: "SQS refuses the name" },
    { name: "a", attribute: text("x", "Text"), says: "got `Text`" },
    { name: "a", attribute: text("x", ""), says: "expected `dataType`" },
    { name: "a", attribute: text(""), says: "SQS refuses an empty value" },
    { name: "a", attribute: text("\u0000"), says: "characters that SQS refuses" },
    { name: "a", attribute: text("x", "Number"), says: 'a decimal number, got "x"' },
    { name: "a", attribute: { dataType: "String" }, says: "`stringValue` alone" },
    { name: "a", attribute: { ...text("x"), binaryValue: Uint8Array.of(1) }, says: "alone" },
    { name: "a", attribute: text("x", "Binary"), says: "`binaryValue` alone" },
    {
      name: "a",
      attribute: { dataType: "Binary", binaryValue: new Uint8Array() },
      says: "SQS refuses an empty value",
    },
  ])("are refused where $name is $attribute", ({ name, attribute, says }) => {
    const attributes = Object.fromEntries([[name, attribute as MessageAttribute]]);
    const result = encode({ attributes });
    expect(result.kind === "refused" && result.reason).toContain(says);
  });

  it.each<MessageAttribute>([
    text("x", "String.json"),
    text("-1.5e10", "Number"),
    { dataType: "Binary.png", binaryValue: Uint8Array.of(0) },
  ])("may be %o", (attribute) => {
    expect(
      encoded({ attributes: { "shard.eu-1_a": attribute } }).attributes["shard.eu-1_a"],
    ).toEqual(attribute);
  });
});
