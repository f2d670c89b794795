import { describe, expect, it } from "vitest";
import { resultOf, setReplay } from "./replay-stage.ts";
import { PLAN, runAll } from "./run-stage.ts";

describe("what replay run tells of its outcome", () => {
  it("says by old and new reason what failed again, and leads to the letters", async () => {
    const failed = [
      { id: "a", key: "k", reason: "no item 4" },
      { id: "b", key: "k", reason: "no funds" },
    ];
    setReplay({
      plan: PLAN,
      replay: resultOf({
        replayed: 1,
        failed,
        letters: failed.map(({ id, reason }) => ({
          id,
          outcome: "failed",
          oldReason: "no item 4",
          newReason: reason,
        })),
      }),
    });
    const { exitCode, out } = await runAll("--stop-after-failures", "9");
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^UNFINISHED 1 of 3 letters were applied$/m);
    expect(out).toMatch(/ 2 +failed again: back among the dead letters/);
    expect(out).toMatch(/ 1 +a +no item <n> \(as before\)$/m);
    expect(out).toMatch(/ 1 +b +no item <n> -> no funds$/m);
    expect(out.split("\n").at(-1)).toBe("Next: npx backlogorder letters groups grants");
  });

  it.each([
    { why: "all is done", result: { replayed: 3 }, exitCode: 0, next: "status grants" },
    { why: "all were applied before", result: { skipped: 3 }, exitCode: 0, next: "status grants" },
    { why: "one is pending", result: { pending: 1 }, exitCode: 1, next: "status grants" },
    {
      why: "overtaken ones are left",
      result: { replayed: 1, left: { overtaken: 2, held: 0, cannotRun: 0, expired: 0 } },
      exitCode: 1,
      next: "replay plan grants --all --overtaken",
    },
    {
      why: "held ones are left",
      result: { replayed: 1, left: { overtaken: 0, held: 2, cannotRun: 0, expired: 0 } },
      exitCode: 1,
      next: "replay plan grants --all",
    },
    {
      why: "the letter of one was deleted by SQS",
      result: { replayed: 2, left: { overtaken: 0, held: 0, cannotRun: 0, expired: 1 } },
      exitCode: 1,
      next: "replay plan grants --all",
    },
    {
      why: "one could not be sent",
      result: { replayed: 2, errors: [{ id: "c", error: "its key is empty" }] },
      exitCode: 1,
      next: "status grants",
    },
    {
      why: "it was cancelled",
      result: { replayed: 1, cancelled: true },
      exitCode: 2,
      next: "replay plan grants --all",
    },
    {
      why: "the fix is not live",
      result: {
        failed: [{ id: "a", key: "k", reason: "no item 4" }],
        stopped: { fingerprint: "no item <n>", failures: 1 },
        truncated: true,
      },
      exitCode: 2,
      next: "letters groups grants",
    },
  ])("ends with $exitCode where $why", async ({ result, exitCode, next }) => {
    setReplay({ plan: PLAN, replay: resultOf(result) });
    const ended = await runAll();
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.out.split("\n").at(-1)).toBe(`Next: npx backlogorder ${next}`);
    const json = JSON.parse((await runAll("--json")).out);
    expect(json).toMatchObject({ kind: "replay-run", next: `npx backlogorder ${next}` });
  });

  it("counts what was not sent when it stops", async () => {
    setReplay({
      plan: PLAN,
      replay: resultOf({
        failed: [{ id: "a", key: "k", reason: "no item 4" }],
        stopped: { fingerprint: "no item <n>", failures: 1 },
        truncated: true,
      }),
    });
    const { out } = await runAll();
    expect(out).toMatch(/^STOPPED 1 letter failed again with `no item <n>`: the fix is not live/);
    expect(out).toMatch(/ 2 +not sent: still among the dead letters/);
  });
});
