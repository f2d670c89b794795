import { expect, test } from "vitest";
import { brokenPromises, type Evidence } from "./broken-promises.ts";

const accepted = ["a", "b", "c"].map((id, index) => ({
  ...{ index, id, partition: 1, offset: String(index + 9), messageId: id },
  ...{ key: "player:1", coins: 10 },
}));

const KEPT: Evidence = {
  accepted,
  applied: new Map([
    ["a", 1],
    ["b", 1],
    ["c", 1],
  ]),
  orders: new Map([[1, ["a", "b", "c"]]]),
  balances: new Map([["player:1", 30]]),
  letters: new Set(),
  testified: new Set(),
};

const NONE = {
  lost: [],
  doubled: [],
  disorder: [],
  innocents: [],
  strangers: [],
  balances: [],
};

test("finds nothing where every record was applied once and in order", () => {
  expect(brokenPromises(KEPT)).toEqual(NONE);
});

test.each<{ why: string; evidence: Partial<Evidence>; broken: object }>([
  {
    why: "a record that was accepted and never applied",
    evidence: {
      applied: new Map([
        ["a", 1],
        ["c", 1],
      ]),
      orders: new Map([[1, ["a", "c"]]]),
    },
    broken: { lost: ["b"] },
  },
  {
    why: "a record whose count is two",
    evidence: { applied: new Map([...KEPT.applied, ["b", 2]]) },
    broken: { doubled: ["b"] },
  },
  {
    why: "a record that the log names twice",
    evidence: { orders: new Map([[1, ["a", "b", "c", "c"]]]) },
    broken: { doubled: ["c"] },
  },
  {
    why: "a record that a later one overtook, by offsets compared as numbers",
    evidence: { orders: new Map([[1, ["b", "a", "c"]]]) },
    broken: { disorder: ["a"] },
  },
  {
    why: "a letter that the handler failed on may come late",
    evidence: {
      orders: new Map([[1, ["b", "c", "a"]]]),
      letters: new Set(["a"]),
      testified: new Set(["a"]),
    },
    broken: {},
  },
  {
    why: "a letter that the handler never failed on",
    evidence: { letters: new Set(["a"]) },
    broken: { innocents: ["a"] },
  },
  {
    why: "a record that nobody published",
    evidence: { applied: new Map([...KEPT.applied, ["x", 1]]) },
    broken: { strangers: ["x"] },
  },
  {
    why: "a wallet with other coins than were published for it",
    evidence: { balances: new Map([["player:1", 40]]) },
    broken: { balances: ["player:1"] },
  },
])("tells $why", ({ evidence, broken }) => {
  expect(brokenPromises({ ...KEPT, ...evidence })).toEqual({ ...NONE, ...broken });
});
