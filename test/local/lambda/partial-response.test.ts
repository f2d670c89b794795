import { describe, expect, it } from "vitest";
import { batchVerdict } from "../../../local/lambda/partial-response.ts";

const BATCH = new Set(["one", "two", "three"]);

describe("batchVerdict", () => {
  it.each([
    { answer: undefined, why: "there is no answer" },
    { answer: null, why: "the answer is null" },
    { answer: "", why: "the answer is empty" },
    { answer: {}, why: "the object is empty" },
    { answer: { batchItemFailures: null }, why: "the list is null" },
    { answer: { batchItemFailures: [] }, why: "the list is empty" },
  ])("takes the whole batch as handled if $why", ({ answer }) => {
    expect(batchVerdict(answer, BATCH)).toEqual({ kind: "some", failedIds: new Set() });
  });

  it("takes the listed messages as failed and the others as handled", () => {
    const answer = { batchItemFailures: [{ itemIdentifier: "three" }, { itemIdentifier: "one" }] };
    expect(batchVerdict(answer, BATCH)).toEqual({
      kind: "some",
      failedIds: new Set(["one", "three"]),
    });
  });

  it.each([
    { answer: "done", why: "text is no answer" },
    { answer: [], why: "a list is no answer" },
    { answer: { batchItemFailures: "one" }, why: "the list is none" },
    { answer: { batchItemFailures: [{ itemIdentifier: "four" }] }, why: "the id is not in it" },
    { answer: { batchItemFailures: [{ itemIdentifier: "" }] }, why: "the id is empty" },
    { answer: { batchItemFailures: [{ itemIdentifier: null }] }, why: "the id is null" },
    { answer: { batchItemFailures: [{ itemIdentifier: 1 }] }, why: "the id is no text" },
    { answer: { batchItemFailures: [{ messageId: "one" }] }, why: "the key has another name" },
    { answer: { batchItemFailures: [null] }, why: "the entry is null" },
    {
      answer: { batchItemFailures: [{ itemIdentifier: "one" }, { itemIdentifier: "four" }] },
      why: "one wrong entry spoils the right ones",
    },
  ])("fails the whole batch if $why", ({ answer }) => {
    expect(batchVerdict(answer, BATCH)).toMatchObject({ kind: "all" });
  });
});
