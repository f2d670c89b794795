import { describe, expect, it } from "vitest";
import { bounded, type ReplayResult } from "../../../lambdas/core/replay/replay-result.ts";

const RESULT: ReplayResult = {
  runId: "run-1",
  dryRun: false,
  examined: 0,
  replayed: 0,
  skipped: 0,
  failed: [],
  pending: 0,
  errors: [],
  truncated: false,
  left: { overtaken: 0, held: 0, cannotRun: 0, expired: 0 },
};

describe("an answer", () => {
  it("is left as it is while it fits", () => {
    expect(bounded(RESULT)).toBe(RESULT);
  });

  it("lists at most 1,000 entries of each kind and says how many it leaves out", () => {
    const failed = Array.from({ length: 1500 }, (_, n) => ({
      id: `f${n}`,
      key: "k",
      reason: "no",
    }));
    const errors = [{ id: "e", error: "no" }];
    const answer = bounded({ ...RESULT, failed, errors });
    expect(answer.failed).toHaveLength(1000);
    expect(answer.failed[999]?.id).toBe("f999");
    expect(answer).toMatchObject({ errors, omitted: { failed: 500, errors: 0 } });
  });
});
