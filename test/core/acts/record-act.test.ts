import { beforeEach, describe, expect, it } from "vitest";
import { type Act, standingOf } from "../../../lambdas/core/acts/act.ts";
import { boundLetters } from "../../../lambdas/core/acts/act-letters.ts";
import { type Operation, operate } from "../../../lambdas/core/acts/operation.ts";

const RUN = { runId: "run-1", startedAtMs: 1000, deadlineMs: 61_000 };

let begun: Act[];
let ended: Act[];
let lines: { readonly act: Act; readonly trouble: unknown }[];
let down: "begin" | "end" | undefined;

const ports = {
  acts: {
    async begin(act: Act) {
      if (down === "begin") throw new Error("ledger is down");
      begun.push(act);
    },
    async end(act: Act) {
      if (down === "end") throw new Error("ledger is down");
      ended.push(act);
    },
  },
  clock: { nowMs: () => 5000 },
  log: (act: Act, trouble?: unknown) => {
    lines.push({ act, trouble });
  },
  fallback: "mend",
};

let performed = 0;

const operations: Readonly<Record<string, Operation>> = {
  mend: (fields) => ({
    kind: "writes",
    request: {
      operation: "mend",
      who: "ann",
      why: String(fields["why"]),
      ticket: undefined,
      filter: undefined,
      planDigest: undefined,
    },
    async perform() {
      performed += 1;
      if (fields["why"] === "fail") throw new Error("no queue");
      const letters = [{ id: "a", outcome: "mended", oldReason: "no gold" }];
      return { answer: { mended: 1 }, state: "done", counts: { mended: 1 }, letters };
    },
  }),
  look: () => ({ kind: "reads", answer: async () => ({ seen: 2 }) }),
};

const ask = (event: unknown) => operate(event, RUN, operations, ports);

beforeEach(() => {
  begun = [];
  ended = [];
  lines = [];
  down = undefined;
  performed = 0;
});

describe("an operation that writes", () => {
  it("is on record before it begins and once it ended, and leaves one line", async () => {
    await expect(ask({ operation: "mend", why: "shop" })).resolves.toEqual({ mended: 1 });
    expect(begun).toMatchObject([
      { actId: "run-1", operation: "mend", who: "ann", state: "running", endedAtMs: undefined },
    ]);
    expect(ended).toMatchObject([
      { actId: "run-1", state: "done", endedAtMs: 5000, counts: { mended: 1 } },
    ]);
    expect(lines).toEqual([{ act: ended[0], trouble: undefined }]);
  });

  it("is not done where its begin cannot be recorded", async () => {
    down = "begin";
    await expect(ask({ why: "shop" })).rejects.toMatchObject({ name: "ActNotRecordedError" });
    expect(performed).toBe(0);
  });

  it("is on record as failed, with the reason", async () => {
    await expect(ask({ why: "fail" })).rejects.toThrow("no queue");
    expect(ended).toMatchObject([{ state: "failed", error: "no queue" }]);
  });

  it("answers all the same where its end cannot be recorded, and says so in the log", async () => {
    down = "end";
    await expect(ask({ why: "shop" })).resolves.toEqual({ mended: 1 });
    expect(lines).toMatchObject([{ act: { state: "done" }, trouble: new Error("ledger is down") }]);
  });
});

it("leaves no record of an operation that only reads", async () => {
  await expect(ask({ operation: "look" })).resolves.toEqual({ seen: 2 });
  expect(begun).toEqual([]);
});

it.each([{ operation: "toString" }, { operation: "destroy" }, { operation: 7 }])(
  "refuses $operation and names what there is",
  async (event) => {
    await expect(ask(event)).rejects.toMatchObject({
      name: "UnknownOperationError",
      message: expect.stringContaining("mend, look"),
    });
    expect(begun).toEqual([]);
  },
);

it.each([
  { state: "running", nowMs: 61_000, standing: "running" },
  { state: "running", nowMs: 61_001, standing: "interrupted" },
  { state: "done", nowMs: 99_999, standing: "done" },
] as const)("calls an act that is $state at $nowMs $standing", ({ state, nowMs, standing }) => {
  expect(standingOf({ state, endsByMs: 61_000 }, nowMs)).toBe(standing);
});

it("keeps as many letters as an item can hold, and counts the others", () => {
  const letters = Array.from({ length: 2000 }, (_, each) => ({
    id: `record-${each}`,
    outcome: "failed",
    oldReason: "ü".repeat(1000),
  }));
  const bound = boundLetters(letters);
  expect(bound.letters.length + bound.omitted).toBe(2000);
  expect(bound.letters.length).toBeGreaterThan(200);
  expect(Buffer.byteLength(JSON.stringify(bound.letters))).toBeLessThanOrEqual(200_000);
  expect(bound.letters[0]?.oldReason).toHaveLength(300);
});
