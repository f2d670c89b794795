import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isRecordId,
  isSqsText,
  letterDeduplicationId,
  replayDeduplicationId,
  sqsIdOf,
  toSqsText,
} from "../../../lambdas/core/wire/identity.ts";

const SQS_ID = /^[!-~]{1,128}$/;
const anyText = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });

describe("a record's id", () => {
  it.each([
    { id: "a", valid: true },
    { id: "x".repeat(256), valid: true },
    { id: "grant 7 für 玩家 🎮", valid: true },
    { id: "tab\tand\nline", valid: true },
    { id: "__proto__", valid: true },
    { id: "", valid: false },
    { id: "x".repeat(257), valid: false },
    { id: "nul\u0000", valid: false },
    { id: "lone \ud83c surrogate", valid: false },
    { id: "\ufffe", valid: false },
    { id: 7, valid: false },
    { id: undefined, valid: false },
  ])("is valid: $valid for $id", ({ id, valid }) => {
    expect(isRecordId(id)).toBe(valid);
  });

  it("names a de-duplication id that SQS takes, different for different ids", () => {
    fc.assert(
      fc.property(anyText, anyText, (left, right) => {
        expect(sqsIdOf(left)).toMatch(SQS_ID);
        if (left.isWellFormed() && right.isWellFormed()) {
          expect(sqsIdOf(left) === sqsIdOf(right)).toBe(left === right);
        }
      }),
    );
  });

  it.each([
    { id: "order-1:!~", hashed: false, why: "SQS takes all of its characters" },
    { id: "x".repeat(128), hashed: false, why: "128 characters fit" },
    { id: "x".repeat(129), hashed: true, why: "129 do not" },
    { id: "a b", hashed: true, why: "SQS refuses the blank" },
    { id: "é", hashed: true, why: "SQS refuses all but ASCII" },
  ])("is hashed: $hashed for $id: $why", ({ id, hashed }) => {
    expect(sqsIdOf(id) !== id).toBe(hashed);
  });

  it("is not mixed up with a neighbour's when joined with other numbers", () => {
    const ids = [
      replayDeduplicationId("a", 1),
      replayDeduplicationId("a", 2),
      replayDeduplicationId('a",1', 1),
      letterDeduplicationId("a", 1, "m"),
      letterDeduplicationId("a", 1, "n"),
      letterDeduplicationId("a", 2, "m"),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(SQS_ID);
  });
});

describe("text that SQS carries", () => {
  it("is told from text that it refuses, code point by code point", () => {
    fc.assert(
      fc.property(fc.nat(0x10ffff), (code) => {
        const allowed =
          [0x09, 0x0a, 0x0d].includes(code) ||
          (code >= 0x20 && code <= 0xd7ff) ||
          (code >= 0xe000 && code <= 0xfffd) ||
          code >= 0x10000;
        expect(isSqsText(`a${String.fromCodePoint(code)}b`)).toBe(allowed);
      }),
      { numRuns: 2000 },
    );
  });

  it("is what any text becomes, and stays as it was where it was fine", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(isSqsText(toSqsText(text))).toBe(true);
        if (isSqsText(text)) expect(toSqsText(text)).toBe(text);
      }),
    );
  });
});
