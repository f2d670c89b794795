import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprintOf, groupIdOf } from "../../lambdas/core/fingerprint.ts";

describe("fingerprintOf", () => {
  it.each([
    {
      reasons: ["player 17 has 5 gold of 12.50", "player 4 has -3 gold of 7"],
      fingerprint: "player <n> has <n> gold of <n>",
      why: "numbers, with sign and fraction",
    },
    {
      reasons: ['no item "sword of dawn"', 'no item "bow"'],
      fingerprint: "no item <value>",
      why: "quoted values",
    },
    {
      reasons: ["can't find 'a b' in 'c'", "can't find 'x' in 'it is'"],
      fingerprint: "can't find <value> in <value>",
      why: "an apostrophe within a word quotes nothing",
    },
    {
      reasons: [
        "order 0198c2f4-7d1e-7c55-9b1f-0242ac120002 not found",
        "order 0198c2f4-0000-7c55-9b1f-0242ac120003 not found",
      ],
      fingerprint: "order <id> not found",
      why: "UUIDs",
    },
    {
      reasons: [
        "player-17 is locked until 2026-01-31T03:00:00.123Z",
        "player-9 is locked until 2026-02-01",
      ],
      fingerprint: "player-<id> is locked until <time>",
      why: "ids behind a hyphen, and times",
    },
    {
      reasons: ["p17 was banned", "p9x was banned"],
      fingerprint: "<id> was banned",
      why: "letters and digits mixed",
    },
    {
      reasons: ["connect ECONNREFUSED 10.0.0.1:8000", "connect ECONNREFUSED 10.0.12.7:8001"],
      fingerprint: "connect ECONNREFUSED <id>",
      why: "addresses are one id",
    },
    {
      reasons: ["the handler timed out after 10 s", "the handler timed out after  2 s"],
      fingerprint: "the handler timed out after <n> s",
      why: "white space is one space",
    },
    {
      reasons: ["took 12ms", "took 9ms"],
      fingerprint: "took <n>ms",
      why: "a unit stays",
    },
    {
      reasons: ["unknown items 1, 2, 3", "unknown items 4, 5"],
      fingerprint: "unknown items <n>, …",
      why: "lists of any length are one",
    },
  ])("gives one fingerprint to one fault: $why", ({ reasons, fingerprint }) => {
    expect(reasons.map(fingerprintOf)).toEqual(reasons.map(() => fingerprint));
  });

  it("keeps short error codes apart, since they tell faults from each other", () => {
    expect(fingerprintOf("failed with E1234")).not.toBe(fingerprintOf("failed with E1235"));
  });

  it("stays within 200 characters and is one line, whatever the reason", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 1024 }), (reason) => {
        const fingerprint = fingerprintOf(reason);
        expect(fingerprint.length).toBeLessThanOrEqual(200);
        expect(fingerprint).not.toMatch(/[\n\r\t]/);
      }),
    );
  });
});

describe("groupIdOf", () => {
  it("names a fingerprint by 8 digits that never change", () => {
    expect(groupIdOf("no item <value>")).toMatch(/^[0-9a-f]{8}$/);
    expect(groupIdOf("no item <value>")).toBe(groupIdOf("no item <value>"));
    expect(groupIdOf("no item <value>")).not.toBe(groupIdOf("no item <n>"));
  });
});
