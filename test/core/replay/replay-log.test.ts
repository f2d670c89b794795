import { expect, it } from "vitest";
import { replayLog } from "../../../lambdas/core/replay/replay-log.ts";

it("says of a run who asked for it, why, what for, and counts", () => {
  const request = {
    dryRun: false,
    filter: { partition: 3 },
    limit: 10,
    ratePerSecond: 5,
    requestedBy: "ann",
    why: "shop is back",
  };
  const result = {
    runId: "run-1",
    dryRun: false,
    examined: 9,
    replayed: 3,
    skipped: 1,
    failed: [{ id: "a", key: "k", reason: "secret" }],
    pending: 2,
    errors: [{ id: "b", error: "x" }],
    omitted: { failed: 4, errors: 0 },
    truncated: true,
    left: { overtaken: 0, held: 0, cannotRun: 0, expired: 8 },
  };
  expect(replayLog(request, result)).toEqual({
    requestedBy: "ann",
    why: "shop is back",
    filter: { partition: 3 },
    limit: 10,
    ratePerSecond: 5,
    runId: "run-1",
    dryRun: false,
    examined: 9,
    replayed: 3,
    skipped: 1,
    failed: 5,
    pending: 2,
    errors: 1,
    truncated: true,
    left: { overtaken: 0, held: 0, cannotRun: 0, expired: 8 },
  });
});
