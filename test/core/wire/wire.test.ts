import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSqsText } from "../../../lambdas/core/wire/identity.ts";
import {
  decodeKey,
  decodePayload,
  encodeKey,
  encodePayload,
  gameAttributes,
} from "../../../lambdas/core/wire/wire.ts";

const text = fc.string({ unit: "binary" });
const utf8 = new TextEncoder();

const bytesOf = (payload: string | Uint8Array | undefined) =>
  typeof payload === "string" ? utf8.encode(payload) : payload;

function roundTrip(payload: string | Uint8Array) {
  const { body, encoding } = encodePayload(payload);
  return { body, encoding, decoded: decodePayload(body, encoding) };
}

describe("a payload on the wire", () => {
  it("comes back byte for byte, whatever the text, in a body that SQS takes", () => {
    fc.assert(
      fc.property(text, (payload) => {
        const { body, decoded } = roundTrip(payload);
        expect(body.length).toBeGreaterThan(0);
        expect(isSqsText(body)).toBe(true);
        expect(bytesOf(decoded)).toEqual(utf8.encode(payload));
        if (isSqsText(payload)) expect(decoded).toBe(payload);
      }),
    );
  });

  it("comes back byte for byte, whatever the bytes, in a body that SQS takes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (payload) => {
        const { body, decoded } = roundTrip(payload);
        expect(isSqsText(body)).toBe(true);
        expect(bytesOf(decoded)).toEqual(payload);
      }),
    );
  });

  it.each([
    { payload: "plain", body: "plain", encoding: undefined, why: "text goes as it is" },
    { payload: "\ufeffBOM", body: "\ufeffBOM", encoding: undefined, why: "a BOM is kept" },
    { payload: utf8.encode("é"), body: "é", encoding: undefined, why: "bytes that are text" },
    { payload: "", body: "-", encoding: "empty", why: "SQS refuses an empty body" },
    { payload: new Uint8Array(), body: "-", encoding: "empty", why: "no bytes, no text" },
    { payload: "a\u0000", body: "YQA=", encoding: "base64", why: "SQS refuses NUL" },
    {
      payload: Uint8Array.of(0x1f, 0x8b, 8, 0, 0xff),
      body: "H4sIAP8=",
      encoding: "base64",
      why: "gzip is not text",
    },
  ])("is $body with encoding $encoding: $why", ({ payload, body, encoding }) => {
    expect(encodePayload(payload)).toEqual(encoding === undefined ? { body } : { body, encoding });
  });

  it.each([
    { body: "!!!not base64!!!", encoding: "base64", why: "Node would decode it to something" },
    { body: "YQA", encoding: "base64", why: "the padding is missing" },
    { body: "YQB=", encoding: "base64", why: "bits behind the end" },
    { body: "YQA=\n", encoding: "base64", why: "more than base64" },
    { body: "x", encoding: "gzip", why: "nobody wrote that" },
    { body: "x", encoding: "", why: "the absent encoding is absent, not empty" },
  ])("is unreadable as $encoding of $body: $why", ({ body, encoding }) => {
    expect(decodePayload(body, encoding)).toBeUndefined();
  });
});

describe("a key on the wire", () => {
  it("comes back as it was, whatever the text", () => {
    fc.assert(
      fc.property(text, (key) => {
        expect(decodeKey(encodeKey(key))).toBe(key);
      }),
    );
  });

  it.each([
    { key: "player:1", dataType: "String" },
    { key: "k\u0000k", dataType: "Binary" },
  ])("travels as $dataType where it is $key", ({ key, dataType }) => {
    expect(encodeKey(key)["key"]?.dataType).toBe(dataType);
  });

  it("is unreadable where its bytes are no UTF-8, and empty where there is none", () => {
    const binaryValue = Uint8Array.of(0xff);
    expect(decodeKey({ key: { dataType: "Binary", binaryValue } })).toBeUndefined();
    expect(decodeKey({})).toBe("");
    expect(encodeKey("")).toEqual({});
  });
});

describe("a game's attributes", () => {
  it("are all that the wire format does not keep for itself, names of object members too", () => {
    const own = Object.fromEntries(
      ["__proto__", "constructor", "shard"].map((name) => [
        name,
        { dataType: "String", stringValue: name },
      ]),
    );
    const reserved = Object.fromEntries(
      ["id", "key", "enqueuedAt", "encoding", "replay", "deadLetter"].map((name) => [
        name,
        { dataType: "String", stringValue: "x" },
      ]),
    );
    const kept = gameAttributes({ ...reserved, ...own });
    expect(Object.keys(kept).toSorted()).toEqual(["__proto__", "constructor", "shard"]);
  });
});
