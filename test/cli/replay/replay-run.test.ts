import { describe, expect, it } from "vitest";
import { plannedLetter, planOf, resultOf, setReplay, WHO } from "./replay-stage.ts";
import { PLAN, planFile, runAll, runPlan } from "./run-stage.ts";

describe("replay run", () => {
  it("shows its plan on the error stream and says what was done", async () => {
    const requests = setReplay({ plan: PLAN, replay: resultOf({ replayed: 3 }) });
    const { exitCode, out, errors } = await runAll();
    expect(exitCode).toBe(0);
    expect(errors).toMatch(/^3 letters: 3 ready/);
    expect(out.split("\n")[0]).toBe("DONE 3 of 3 letters were applied");
    expect(out).toMatch(/ 3 +replayed: sent and applied/);
    expect(out).toContain("Run run-1");
    expect(out.split("\n").at(-1)).toBe("Next: npx backlogorder status grants");
    expect(requests.map(({ operation }) => operation)).toEqual(["plan", "replay"]);
    expect(requests[1]).toEqual({
      operation: "replay",
      requestedBy: WHO,
      why: "prices are back",
      filter: {},
      overtaken: false,
      stopAfterFailures: 1,
      plan: { digest: PLAN.digest },
    });
  });

  it("passes on how to go about it", async () => {
    const requests = setReplay({ plan: PLAN, replay: resultOf({ replayed: 3 }) });
    const pace = ["--rate", "2.5", "--ramp", "1,5,20", "--stop-after-failures", "3"];
    await runAll(...pace, "--ticket", "OPS-7", "--overtaken");
    expect(requests[0]).toMatchObject({ overtaken: true });
    expect(requests[1]).toMatchObject({
      ratePerSecond: 2.5,
      ramp: [1, 5, 20],
      stopAfterFailures: 3,
      ticket: "OPS-7",
    });
  });

  it("runs a kept plan by its digest and its filter, without another plan", async () => {
    const path = await planFile({ limit: 2 });
    const requests = setReplay({ replay: resultOf({ replayed: 2 }) });
    const { exitCode, errors } = await runPlan(path);
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: "" });
    expect(requests).toMatchObject([
      {
        operation: "replay",
        filter: { key: "player:1" },
        limit: 2,
        plan: { digest: PLAN.digest, limit: 2 },
      },
    ]);
  });

  it("sends nothing where there is nothing to send", async () => {
    const requests = setReplay({ plan: planOf([]) });
    const { exitCode, out } = await runAll();
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^Nothing to replay\.\n/);
    expect(requests).toHaveLength(1);
  });

  it("says what is left where the plan takes none of the letters", async () => {
    const overtaken = plannedLetter({ class: { kind: "overtaken", by: 2, atLeast: false } });
    setReplay({ plan: planOf([overtaken]) });
    const { exitCode, out } = await runAll();
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^Nothing to replay\.\n {2}1 left: overtaken by later records/);
    expect(out).toMatch(/Next: .* replay plan grants --all --overtaken$/);
  });

  it("says how many letters SQS has deleted where it finds nothing else", async () => {
    const gone = plannedLetter({ class: { kind: "expired" } });
    setReplay({ plan: planOf([gone]) });
    const { exitCode, out } = await runAll();
    expect(exitCode).toBe(1);
    expect(out).toMatch(
      /^Nothing to replay\.\n {2}1 left: expired, SQS deleted their letters.*\nNext: .* replay plan /,
    );
  });

  it("answers in JSON with the caller, the plan and the outcome of each letter", async () => {
    const letters = [{ id: "a", outcome: "replayed", oldReason: "no item 4" }] as const;
    setReplay({ plan: PLAN, replay: resultOf({ replayed: 3, letters }) });
    const { out } = await runAll("--json", "--ticket", "OPS-7");
    expect(JSON.parse(out)).toMatchObject({
      version: 1,
      kind: "replay-run",
      requestedBy: WHO,
      why: "prices are back",
      ticket: "OPS-7",
      plan: { digest: PLAN.digest, takenAt: "2026-01-31T02:59:59.000Z" },
      filter: { key: null },
      outcome: "done",
      runIds: ["run-1"],
      planned: 3,
      replayed: 3,
      failed: 0,
      left: { overtaken: 0, held: 0, cannotRun: 0, expired: 0 },
      letters,
      stopped: null,
      error: null,
    });
  });
});
