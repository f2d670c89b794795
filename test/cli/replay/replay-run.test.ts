import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GetEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import { describe, expect, it, onTestFinished } from "vitest";
import { NOW } from "../letters/letters.ts";
import { run } from "../stage.ts";
import {
  FunctionFailure,
  lambda,
  plannedLetter,
  planOf,
  resultOf,
  setReplay,
  WHO,
} from "./replay-stage.ts";

const LETTERS = ["a", "b", "c"].map((id) => plannedLetter({ id }));
const PLAN = planOf(LETTERS);
const AT_PAGE = { waiting: 5, sourceAgeSeconds: 700 };

/** Runs all letters without being asked. */
function runAll(...words: readonly string[]) {
  return run("replay", "run", "grants", "--all", "--why", "prices are back", "--yes", ...words);
}

/** A plan file as the command writes it, changed. */
async function planFile(change: object = {}) {
  const path = join(mkdtempSync(join(tmpdir(), "run-")), "plan.json");
  onTestFinished(() => rmSync(join(path, ".."), { recursive: true }));
  setReplay({ plan: PLAN });
  const { out } = await run("replay", "plan", "grants", "--key", "player:1", "--json");
  writeFileSync(path, JSON.stringify({ ...JSON.parse(out), ...change }));
  return path;
}

function runPlan(path: string, ...words: readonly string[]) {
  return run("replay", "run", "grants", "--plan", path, "--why", "mended", ...words);
}

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

  it("calls again for what one call could not take, but for no letter that failed in it", async () => {
    const requests = setReplay({
      plan: PLAN,
      replay: [
        resultOf({ runId: "run-1", replayed: 1, truncated: true }),
        resultOf({ runId: "run-2", replayed: 2 }),
      ],
    });
    const { exitCode, out } = await runAll("--ramp", "1");
    expect(exitCode).toBe(0);
    expect(out).toContain("3 of 3 letters were applied");
    expect(out).toContain("Run run-1, run-2");
    const [, first, second] = requests;
    expect(first).toMatchObject({ plan: { digest: PLAN.digest }, ramp: [1] });
    expect(first).not.toHaveProperty("filter.failedBefore");
    expect(second).not.toHaveProperty("plan");
    expect(second).not.toHaveProperty("ramp");
    expect(second).toMatchObject({ filter: { failedBefore: NOW - 1000 } });
  });

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
      result: { replayed: 1, left: { overtaken: 2, held: 0, cannotRun: 0 } },
      exitCode: 1,
      next: "replay plan grants --all --overtaken",
    },
    {
      why: "held ones are left",
      result: { replayed: 1, left: { overtaken: 0, held: 2, cannotRun: 0 } },
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

  it("stops between two calls where their failures together reach the limit", async () => {
    const failure = (id: string) => [{ id, key: "k", reason: `no item ${id}` }];
    const requests = setReplay({
      plan: PLAN,
      replay: [
        resultOf({ failed: failure("1"), truncated: true }),
        resultOf({ failed: failure("2"), truncated: true }),
        resultOf({ replayed: 1 }),
      ],
    });
    const { exitCode, out } = await runAll("--stop-after-failures", "2");
    expect(exitCode).toBe(2);
    expect(out).toMatch(/^STOPPED 2 letters failed again with `no item <n>`/);
    expect(requests).toHaveLength(3);
  });

  it("ends where a call takes nothing though letters are left", async () => {
    const requests = setReplay({ plan: PLAN, replay: resultOf({ truncated: true }) });
    const { exitCode, out } = await runAll();
    expect(exitCode).toBe(1);
    expect(out).toContain("more letters match than could be taken now");
    expect(requests).toHaveLength(2);
  });

  it("takes no more than its limit over all calls", async () => {
    const requests = setReplay({
      plan: PLAN,
      replay: (request: { readonly limit: number }) =>
        resultOf({ replayed: Math.min(request.limit, 1000), truncated: true }),
    });
    await runAll("--limit", "2500");
    expect(requests.map(({ limit }) => limit)).toEqual([2500, 1000, 1000, 500]);
  });

  it("reports what it knows where a later call has no answer", async () => {
    setReplay({
      plan: PLAN,
      replay: [
        resultOf({ replayed: 1, truncated: true }),
        Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }),
      ],
    });
    const { exitCode, out } = await runAll();
    expect(exitCode).toBe(3);
    expect(out).toMatch(
      /^UNKNOWN 1 of 3 letters were applied, then no answer came \(answer-lost\)/,
    );
    expect(out.split("\n").at(-1)).toBe("Next: npx backlogorder replay status grants");
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
      left: { overtaken: 0, held: 0, cannotRun: 0 },
      letters,
      stopped: null,
      error: null,
    });
  });
});

describe("replay run refuses in one line and sends nothing", () => {
  it.each([
    { why: "no why", words: ["--all", "--yes"], exitCode: 3, text: /--why/ },
    {
      why: "an empty why",
      words: ["--all", "--yes", "--why", " "],
      exitCode: 3,
      text: /got an empty text/,
    },
    {
      why: "no filter",
      words: ["--yes", "--why", "x"],
      exitCode: 2,
      text: /^Refused \(no-filter\): [^\n]+$/,
    },
    {
      why: "nobody to agree",
      words: ["--all", "--why", "x"],
      exitCode: 2,
      text: /^Refused \(not-confirmed\): .*`--plan FILE`[^\n]+$/,
    },
    {
      why: "a ramp of words",
      words: ["--all", "--why", "x", "--ramp", "1,two"],
      exitCode: 3,
      text: /whole number from 1/,
    },
    {
      why: "no rate at all",
      words: ["--all", "--why", "x", "--rate", "0"],
      exitCode: 3,
      text: /above 0/,
    },
    {
      why: "a file that is missing",
      words: ["--plan", "/no/such/plan.json", "--why", "x"],
      exitCode: 3,
      text: /^Cannot tell \(bad-plan-file\): .*ENOENT[^\n]+$/,
    },
  ])("for $why", async ({ words, exitCode, text }) => {
    const requests = setReplay({});
    const ended = await run("replay", "run", "grants", ...words);
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.errors).toMatch(text);
    expect(requests).toEqual([]);
  });

  it.each([
    { why: "another ledger", change: { ledger: "other" }, code: "other-plan", exitCode: 2 },
    { why: "another backlog", change: { backlog: "matches" }, code: "other-plan", exitCode: 2 },
    { why: "no plan", change: { kind: "status" }, code: "bad-plan-file", exitCode: 3 },
    { why: "half a plan", change: { digest: 7 }, code: "bad-plan-file", exitCode: 3 },
  ])("a file of $why", async ({ change, code, exitCode }) => {
    const path = await planFile(change);
    const requests = setReplay({});
    const ended = await runPlan(path);
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.errors).toMatch(new RegExp(`\\(${code}\\): [^\\n]+$`));
    expect(requests).toEqual([]);
  });

  it.each([
    { words: ["--key", "k"], code: "plan-and-filter" },
    { words: ["--all"], code: "plan-and-filter" },
    { words: ["--overtaken"], code: "plan-without-overtaken" },
  ])("a plan with $words", async ({ words, code }) => {
    const path = await planFile();
    const requests = setReplay({});
    const { exitCode, errors } = await runPlan(path, ...words);
    expect(exitCode).toBe(2);
    expect(errors).toContain(`Refused (${code})`);
    expect(requests).toEqual([]);
  });

  it("a plan whose letters have changed, in the function's words", async () => {
    const path = await planFile();
    const changed = "The plan has changed: ready 3, now 2.\nNothing was touched.";
    setReplay({ replay: new FunctionFailure("ReplayPlanChangedError", changed) });
    const { exitCode, errors } = await runPlan(path);
    expect(exitCode).toBe(2);
    expect(errors).toBe(
      "Refused (plan-changed): The plan has changed: ready 3, now 2. Nothing was touched. To do: make the plan again, read it, and run that one.",
    );
  });

  it("while another run is under way", async () => {
    const held = new FunctionFailure("ReplayHeldError", "Another replay is running: run-0");
    setReplay({ plan: PLAN, replay: held });
    const { exitCode, errors } = await runAll();
    expect(exitCode).toBe(2);
    expect(errors.split("\n").at(-1)).toMatch(
      /^Refused \(replay-running\): Another replay .*replay status/,
    );
  });

  it.each([
    { errorType: "ReplayRequestError", code: "bad-request" },
    { errorType: "LetterRefusedError", code: "letter-refused" },
    { errorType: "UnknownOperationError", code: "old-function" },
  ])("what the function refuses with $errorType", async ({ errorType, code }) => {
    setReplay({ plan: PLAN, replay: new FunctionFailure(errorType, "Nothing was touched.") });
    const { exitCode, errors } = await runAll();
    expect(exitCode).toBe(2);
    expect(errors.split("\n").at(-1)).toMatch(
      new RegExp(`^Refused \\(${code}\\): Nothing was touched. To do: `),
    );
  });

  it("while the backlog is at page, by the verdict of `status`, unless it is forced", async () => {
    const requests = setReplay({ plan: PLAN, replay: resultOf({ replayed: 3 }) }, AT_PAGE);
    const { exitCode, errors } = await runAll();
    expect(exitCode).toBe(2);
    expect(errors).toMatch(
      /^Refused \(at-page\): The backlog is at page \(oldest 11m40s, page line 10m\).*`--force`\.$/,
    );
    expect(requests).toEqual([]);
    expect((await runAll("--force")).exitCode).toBe(0);
  });

  it("while the consumer is paused, unless it is forced", async () => {
    const requests = setReplay({ plan: PLAN, replay: resultOf({ replayed: 3 }) });
    lambda.on(GetEventSourceMappingCommand).resolves({ State: "Disabled" });
    const { exitCode, errors } = await runAll();
    expect(exitCode).toBe(2);
    expect(errors).toMatch(/^Refused \(paused\): .*npx backlogorder resume grants.*`--force`\.$/);
    expect(requests).toEqual([]);
    expect((await runAll("--force")).exitCode).toBe(0);
  });

  it.each([
    {
      why: "the function crashed",
      error: new FunctionFailure("Runtime.ExitError", "exited"),
      code: "function-failed",
      remedy: /replay status/,
    },
    {
      why: "a queue did not answer",
      error: new FunctionFailure("ReplayUnavailableError", "Expected an answer of the ledger."),
      code: "unavailable",
      remedy: /repeat/,
    },
    {
      why: "the act could not be put on record",
      error: new FunctionFailure("ActNotRecordedError", "Nothing was touched"),
      code: "unavailable",
      remedy: /repeat/,
    },
    {
      why: "the function is gone",
      error: Object.assign(new Error("Function not found: arn:aws:lambda:x"), {
        name: "ResourceNotFoundException",
      }),
      code: "function-missing",
      remedy: /deploy/,
    },
    {
      why: "the answer is lost",
      error: Object.assign(new Error("timed out"), { name: "TimeoutError" }),
      code: "answer-lost",
      remedy: /replay status/,
    },
    {
      why: "nothing could be reached",
      error: Object.assign(
        new Error("Socket timed out without establishing a connection within 5000 ms"),
        { name: "TimeoutError" },
      ),
      code: "unreachable",
      remedy: /network/,
    },
  ])("cannot tell where $why", async ({ error, code, remedy }) => {
    setReplay({ plan: PLAN, replay: error });
    const { exitCode, errors } = await runAll();
    expect(exitCode).toBe(3);
    expect(errors.split("\n").at(-1)).toMatch(new RegExp(`^Cannot tell \\(${code}\\): `));
    expect(errors.split("\n").at(-1)).toMatch(remedy);
  });
});
