import { describe, expect, it } from "vitest";
import { letterId, readLetter } from "../../../lambdas/core/replay/replay-letter.ts";
import { encodeLetter, encodeReplay } from "../../../lambdas/core/wire/wire-metadata.ts";
import { delivery, KEYS } from "../drain/drain-stage.ts";
import { sequence } from "./made-letters.ts";

const SETTINGS = { partitions: 16, maxReceiveCount: 50 };

const ITEM = {
  id: "a",
  key: KEYS[5] ?? "",
  partition: 5,
  offset: sequence(3),
  enqueuedAtMs: 1,
  generation: 0,
  attempts: 2,
  attemptId: undefined,
  state: "dead" as const,
  messageId: "m",
  reason: "out of stock",
  failedAtMs: 77,
};

describe("a letter of the consumer", () => {
  it("says all by itself", () => {
    const facts = {
      partition: 5,
      offset: sequence(4),
      generation: 2,
      attempts: 1,
      reason: "no funds",
      failedAtMs: 12,
      enqueuedAtMs: 6,
    };
    const made = delivery({ id: "a", group: "a", extra: { deadLetter: encodeLetter(facts) } });
    expect(readLetter(made, ITEM, SETTINGS)).toMatchObject({
      record: { id: "a", partition: 5, offset: sequence(4), generation: 2, enqueuedAtMs: 6 },
      reason: "no funds",
      failedAtMs: 12,
      attempts: 1,
      native: false,
      malformed: undefined,
      writtenFor: 5,
    });
  });

  it("without room for facts has them in the ledger, its offset included", () => {
    expect(readLetter(delivery({ id: "a", group: "a" }), ITEM, SETTINGS)).toMatchObject({
      record: { offset: sequence(3) },
      reason: "out of stock",
      failedAtMs: 77,
      attempts: 2,
      native: false,
    });
  });

  it("without room for facts, forgotten by the ledger, has no offset and says so", () => {
    const letter = readLetter(delivery({ id: "a", group: "a" }), undefined, SETTINGS);
    expect(letter.record.offset).toBeUndefined();
    expect(letter.reason).toContain("the ledger holds the facts of this letter no more");
  });

  it("of a record without an id goes by the MessageId that named its group", () => {
    const { id: _, ...attributes } = delivery({ id: "a" }).attributes;
    const made = {
      ...delivery({ id: "a" }),
      attributes,
      group: "first-message",
      messageId: "second",
    };
    expect(letterId(made, 16)).toBe("first-message");
    expect(readLetter(made, undefined, SETTINGS)).toMatchObject({
      record: { id: "first-message" },
      malformed: expect.stringContaining("`id` attribute is missing"),
    });
  });

  it("whose facts cannot be read is malformed", () => {
    const extra = { deadLetter: { dataType: "String", stringValue: "{}" } };
    expect(
      readLetter(delivery({ id: "a", group: "a", extra }), ITEM, SETTINGS).malformed,
    ).toContain("`deadLetter` attribute");
  });
});

describe("a letter that SQS moved", () => {
  it.each([
    { receives: 51, says: 50, why: "its first receive here" },
    { receives: 58, says: 50, why: "looked at seven times more" },
    { receives: 31, says: 30, why: "moved while the maximum was lower" },
  ])("was moved after $says receives at a count of $receives: $why", ({ receives, says }) => {
    const letter = readLetter(delivery({ id: "a", receives }), undefined, SETTINGS);
    expect(letter).toMatchObject({ native: true, reason: `moved by SQS after ${says} receives` });
  });

  it("has no offset, whatever SQS's number and the ledger say", () => {
    expect(readLetter(delivery({ id: "a" }), ITEM, SETTINGS).record.offset).toBeUndefined();
  });

  it("keeps the offset and generation that its replay carried", () => {
    const replay = encodeReplay({
      generation: 2,
      offset: sequence(1),
      enqueuedAtMs: 4,
      runId: "r",
    });
    const letter = readLetter(delivery({ id: "a", extra: { replay } }), undefined, SETTINGS);
    expect(letter.record).toMatchObject({ generation: 2, offset: sequence(1), enqueuedAtMs: 4 });
    expect(letter.native).toBe(true);
  });

  it("is not meant by a letter whose numeric id names its own group", () => {
    expect(readLetter(delivery({ id: "5", group: "5" }), ITEM, SETTINGS).native).toBe(false);
  });

  it("goes by its MessageId where it carries no id", () => {
    const { id: _, ...attributes } = delivery({ id: "a" }).attributes;
    expect(letterId({ ...delivery({ id: "a" }), attributes }, 16)).toBe("m-a");
  });
});
