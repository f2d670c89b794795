import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEventLine } from "../../../lambdas/core/wire/ndjson.ts";

const read = (value: unknown) => parseEventLine(JSON.stringify(value), 7);

describe("a line of events", () => {
  it("gives a text payload as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (key, payload) => {
        expect(read({ key, payload, id: "a" })).toEqual({
          kind: "record",
          line: 7,
          record: { key, payload, id: "a" },
        });
      }),
    );
  });

  it("gives any other JSON in compact form, without an id where there is none", () => {
    fc.assert(
      fc.property(
        fc.jsonValue().filter((value) => typeof value !== "string"),
        (payload) => {
          const spaced = JSON.stringify({ key: "k", payload }, null, 2).replaceAll("\n", " ");
          expect(parseEventLine(spaced, 1)).toEqual({
            kind: "record",
            line: 1,
            record: { key: "k", payload: JSON.stringify(payload) },
          });
        },
      ),
    );
  });

  it.each([
    ['{"key":"k","payload":{"gold": 9007199254740993}}', '{"gold":9007199254740993}'],
    ['{"key":"k","payload":18446744073709551615}', "18446744073709551615"],
    ['{"key":"k","payload":[1.0, 1e3, -0, 0.1]}', "[1.0,1e3,-0,0.1]"],
    ['{"key":"k","payload":{"__proto__": {"a": 1}}}', '{"__proto__":{"a":1}}'],
    ['{"key":"k","payload":null}', "null"],
    ['{"key":"k","payload":false}', "false"],
  ])("keeps what is written in %s", (text, payload) => {
    expect(parseEventLine(text, 1)).toEqual({
      kind: "record",
      line: 1,
      record: { key: "k", payload },
    });
  });

  it("gives bytes that are written as base64", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (payload) => {
        const line = read({ key: "k", payloadBase64: Buffer.from(payload).toString("base64") });
        expect(line).toEqual({ kind: "record", line: 7, record: { key: "k", payload } });
      }),
    );
  });

  it("is blank where it has only white space, a carriage return or a byte order mark", () => {
    expect(parseEventLine("", 2)).toEqual({ kind: "blank", line: 2 });
    expect(parseEventLine(" \t\r", 2)).toEqual({ kind: "blank", line: 2 });
    expect(parseEventLine("\ufeff", 1)).toEqual({ kind: "blank", line: 1 });
  });

  it("may begin a file with a byte order mark and end in a carriage return", () => {
    const text = '\ufeff{"key":"k","payload":"p"}\r';
    expect(parseEventLine(text, 1)).toMatchObject({ kind: "record", record: { key: "k" } });
    expect(parseEventLine(text, 2)).toMatchObject({ kind: "refused", line: 2 });
  });

  it.each([
    { text: '{"key":"k"', says: "expected one JSON object on the line" },
    { text: '{"key":"k","payload":1}{"key":"k","payload":2}', says: "expected one JSON object" },
    { text: "[]", says: "expected a JSON object such as" },
    { text: "null", says: "expected a JSON object such as" },
    { text: '"text"', says: "expected a JSON object such as" },
    { text: '{"payload":"p"}', says: "expected `key` to be text, got none" },
    { text: '{"key":7,"payload":"p"}', says: "expected `key` to be text, got a JSON number" },
    { text: '{"key":"k","payload":"p","id":null}', says: "expected `id` to be text, got null" },
    { text: '{"key":"k","payload":"p","id":[]}', says: "expected `id` to be text, got a list" },
    { text: '{"key":"k"}', says: "expected either `payload` or `payloadBase64`, got neither" },
    { text: '{"key":"k","payload":"p","payloadBase64":""}', says: "got both" },
    { text: '{"key":"k","payloadBase64":"YQ"}', says: "to be padded base64 text" },
    { text: '{"key":"k","payloadBase64":"!!!"}', says: "to be padded base64 text" },
    { text: '{"key":"k","payloadBase64":7}', says: "to be padded base64 text" },
    { text: '{"key":"k","payload":1,"keey":1,"a":2}', says: 'got also "keey", "a"' },
    { text: '{"key":"k","payload":1,"__proto__":1}', says: 'got also "__proto__"' },
  ])("is refused with its number: $text", ({ text, says }) => {
    const line = parseEventLine(text, 12);
    expect(line).toMatchObject({ kind: "refused", line: 12 });
    expect(line.kind === "refused" && line.reason).toContain(says);
  });
});
