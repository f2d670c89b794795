import { describe, expect, it } from "vitest";
import { brokenPromises, type Evidence } from "../../../local/demo/promises.ts";

const published = ["a", "b", "c"].map((id, index) => ({
  index,
  id,
  partition: 5,
  // Text order and number order differ.
  offset: ["9", "10", "11"][index] ?? "",
  messageId: undefined,
}));

const applied = (times: Readonly<Record<string, number>>, count = 1) =>
  new Map(Object.entries(times).map(([id, firstAtMs]) => [id, { times: count, firstAtMs }]));

const evidence = (given: Partial<Evidence>): Evidence => ({
  published,
  applications: applied({ a: 1, b: 2, c: 3 }),
  lettersEver: new Set(),
  failedOrKilled: new Set(),
  timesKnown: true,
  waiting: 0,
  lettersQueued: 0,
  ...given,
});

const NONE = { lost: 0, doubled: 0, disorder: 0, innocents: 0 };

describe("the demo's checks", () => {
  it("find nothing where all was applied once and in order", () => {
    expect(brokenPromises(evidence({}))).toEqual(NONE);
  });

  it.each([
    {
      broken: "a lost record",
      given: { applications: applied({ a: 1, c: 3 }) },
      found: { lost: 1 },
    },
    {
      broken: "records applied twice",
      given: { applications: applied({ a: 1, b: 2, c: 3 }, 2) },
      found: { doubled: 3 },
    },
    {
      broken: "a record applied before an earlier one of its partition",
      given: { applications: applied({ a: 3, b: 2, c: 4 }) },
      found: { disorder: 1 },
    },
    {
      broken: "a dead letter on which the handler never failed",
      given: { lettersEver: new Set(["b"]) },
      found: { innocents: 1 },
    },
  ])("find $broken", ({ given, found }) => {
    expect(brokenPromises(evidence(given))).toEqual({ ...NONE, ...found });
  });

  it("leave dead letters out of the order: a replayed record comes late by nature", () => {
    const replayed = evidence({
      applications: applied({ a: 9, b: 2, c: 3 }),
      lettersEver: new Set(["a"]),
      failedOrKilled: new Set(["a"]),
    });
    expect(brokenPromises(replayed)).toEqual(NONE);
  });

  it("call nothing unrepeated where nobody counted how often it was applied", () => {
    const uncounted = new Map(["a", "b", "c"].map((id, index) => [id, { firstAtMs: index }]));
    const given = evidence({ applications: uncounted, timesKnown: false });
    expect(brokenPromises(given)).toEqual({ ...NONE, doubled: null });
  });

  it("call neither a dead letter nor a waiting record lost", () => {
    const rest = { applications: applied({ a: 1 }), waiting: 1, lettersQueued: 1 };
    expect(brokenPromises(evidence(rest))).toEqual(NONE);
  });

  it("call a dead letter lost that only the ledger knows of", () => {
    const lettersEver = new Set(["b"]);
    const gone = {
      applications: applied({ a: 1, c: 3 }),
      lettersEver,
      failedOrKilled: lettersEver,
    };
    expect(brokenPromises(evidence(gone))).toEqual({ ...NONE, lost: 1 });
  });
});
