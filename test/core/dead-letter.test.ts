import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { letterReason, reasonOf } from "../../lambdas/core/dead-letter.ts";
import { PoisonRecordError } from "../../lambdas/core/handler.ts";
import { isSqsText } from "../../lambdas/core/wire/identity.ts";

const EMPTY = "";
const SILENT = new Error(EMPTY);
const jsonBytes = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

/** Long texts of the characters that grow when escaped or encoded. */
const longText = fc
  .array(fc.constantFrom("a", '"', "\\", "\n", "\u0000", "\ud83c", "\udfae", "é", "中", "🎮"), {
    maxLength: 1500,
    size: "max",
  })
  .map((characters) => characters.join(""));

describe("a letter's reason", () => {
  it("has at most 1,024 bytes of JSON, only characters that SQS takes, and whole code points", () => {
    fc.assert(
      fc.property(longText, (text) => {
        const reason = letterReason(text);
        expect(jsonBytes(reason)).toBeLessThanOrEqual(1024);
        expect(isSqsText(reason)).toBe(true);
        expect(reason.isWellFormed()).toBe(true);
      }),
    );
  });

  it("is the start of what was said, as long as fits", () => {
    fc.assert(
      fc.property(longText, (text) => {
        const clean = text.toWellFormed().replaceAll("\u0000", "\ufffd");
        const reason = letterReason(text);
        if (jsonBytes(clean) <= 1024) {
          expect(reason).toBe(clean);
        } else {
          expect(reason.endsWith("…")).toBe(true);
          expect(clean.startsWith(reason.slice(0, -1))).toBe(true);
          expect(jsonBytes(reason)).toBeGreaterThan(1024 - 4);
        }
      }),
    );
  });

  it.each([
    { text: "", reason: "", why: "an empty text is a failure all the same" },
    { text: "x".repeat(1024), reason: "x".repeat(1024), why: "1,024 bytes fit" },
    { text: "x".repeat(1025), reason: `${"x".repeat(1021)}…`, why: "the mark has 3 bytes" },
    { text: "a\u0000b", reason: "a\ufffdb", why: "SQS refuses NUL" },
  ])("is cut and cleaned: $why", ({ text, reason }) => {
    expect(letterReason(text)).toBe(reason);
  });
});

describe("the reason in what was thrown", () => {
  it.each([
    { thrown: new Error("no gold"), reason: "no gold" },
    { thrown: new TypeError("x is not a function"), reason: "TypeError: x is not a function" },
    { thrown: new PoisonRecordError("no such item"), reason: "no such item" },
    { thrown: SILENT, reason: "Error" },
    { thrown: "text", reason: "text" },
    { thrown: undefined, reason: "undefined" },
    { thrown: null, reason: "null" },
    { thrown: Symbol("s"), reason: "Symbol(s)" },
    { thrown: Object.create(null), reason: "a value that cannot be shown as text" },
  ])("is $reason", ({ thrown, reason }) => {
    expect(reasonOf(thrown)).toBe(reason);
  });

  it.each([
    { what: "an object", message: { code: 7 }, reason: "[object Object]" },
    { what: "nothing", message: undefined, reason: "Error" },
    { what: "a number", message: 7, reason: "7" },
  ])("is text where an error's message is $what", ({ message, reason }) => {
    const thrown = Object.assign(new Error("text"), { message });
    expect(reasonOf(thrown)).toBe(reason);
    expect(letterReason(reasonOf(thrown))).toBe(reason);
  });

  it("is one of our own where an error's message throws when it is read", () => {
    const thrown = Object.defineProperty(new Error("text"), "message", {
      get: () => {
        throw new Error("not for you");
      },
    });
    expect(reasonOf(thrown)).toBe("a value that cannot be shown as text");
  });
});
