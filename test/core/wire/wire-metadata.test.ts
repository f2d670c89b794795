import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageAttribute } from "../../../lambdas/core/record.ts";
import { isSqsText } from "../../../lambdas/core/wire/identity.ts";
import {
  decodeLetter,
  decodeReplay,
  encodeLetter,
  encodeReplay,
} from "../../../lambdas/core/wire/wire-metadata.ts";

const whole = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const offset = fc.option(fc.bigInt({ min: 0n, max: 10n ** 39n - 1n }).map(String), {
  nil: undefined,
});
const mark = fc.record({
  generation: fc.integer({ min: 1, max: 1_000_000 }),
  offset,
  enqueuedAtMs: whole,
  runId: fc.string({ unit: "binary" }),
});
const letter = fc.record({
  partition: whole,
  offset,
  generation: whole,
  attempts: whole,
  reason: fc.string({ unit: "binary" }),
  failedAtMs: whole,
  enqueuedAtMs: whole,
});

const json = (value: unknown): MessageAttribute => ({
  dataType: "String",
  stringValue: JSON.stringify(value),
});

const REPLAY = { generation: 1, offset: "7", enqueuedAt: 5, runId: "r" };
const LETTER = {
  partition: 3,
  offset: null,
  generation: 0,
  attempts: 3,
  reason: "",
  failedAt: 9,
  enqueuedAt: 5,
};

describe("the replay and deadLetter attributes", () => {
  it("come back as they were written, offsets of 39 digits and unknown ones included", () => {
    fc.assert(
      fc.property(mark, (given) => {
        expect(decodeReplay(encodeReplay(given))).toEqual(given);
      }),
    );
    fc.assert(
      fc.property(letter, (given) => {
        expect(decodeLetter(encodeLetter(given))).toEqual(given);
      }),
    );
  });

  it("escape what SQS would refuse up to a space", () => {
    const { stringValue = "" } = encodeReplay({
      generation: 1,
      offset: undefined,
      enqueuedAtMs: 0,
      runId: "\u0000\u001f\ud800",
    });
    expect(isSqsText(stringValue)).toBe(true);
  });

  it("are named as docs/wire-format.md says", () => {
    expect(decodeReplay(json(REPLAY))).toEqual({
      generation: 1,
      offset: "7",
      enqueuedAtMs: 5,
      runId: "r",
    });
    expect(decodeLetter(json(LETTER))).toMatchObject({ offset: undefined, failedAtMs: 9 });
  });

  it.each([
    { why: "no JSON", attribute: { dataType: "String", stringValue: "{" } },
    { why: "bytes", attribute: { dataType: "Binary", binaryValue: Uint8Array.of(1) } },
    { why: "no object", attribute: json(null) },
    { why: "generation 0, which no replay has", attribute: json({ ...REPLAY, generation: 0 }) },
    { why: "an offset that is a number", attribute: json({ ...REPLAY, offset: 7 }) },
    { why: "an offset that is no number", attribute: json({ ...REPLAY, offset: "x" }) },
    { why: "no offset, not even null", attribute: json({ ...REPLAY, offset: undefined }) },
    { why: "a time with a fraction", attribute: json({ ...REPLAY, enqueuedAt: 0.5 }) },
    { why: "no run", attribute: json({ ...REPLAY, runId: undefined }) },
  ])("are unreadable with $why", ({ attribute }) => {
    expect(decodeReplay(attribute)).toBeUndefined();
    expect(decodeLetter(attribute)).toBeUndefined();
  });

  it.each(Object.keys(LETTER))("is no letter without %s", (field) => {
    expect(decodeLetter(json({ ...LETTER, [field]: undefined }))).toBeUndefined();
  });
});
