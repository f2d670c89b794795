import { GetEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import { describe, expect, it } from "vitest";
import { run } from "../stage.ts";
import { FunctionFailure, lambda, resultOf, setReplay } from "./replay-stage.ts";
import { PLAN, planFile, runAll, runPlan } from "./run-stage.ts";

const AT_PAGE = { waiting: 5, sourceAgeSeconds: 700 };

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
