import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";

/** What a run of some test files came to. */
export type TestRun =
  | { readonly kind: "passed"; readonly tests: number }
  /** `by` is the title of the first test that failed, `file` the file that it stands in. */
  | { readonly kind: "failed"; readonly by: string; readonly file: string }
  /** No test gave a verdict: a file did not load, or time ran out. */
  | { readonly kind: "broken"; readonly reason: string };

/** The slowest file takes some 5 seconds on two cores; a fault may make the code wait for ever. */
const TIME_LIMIT_MS = 60_000;

/** Runs of the model: the faults that it must see show within the first dozens. */
const MODEL_RUNS = "300";

const VITEST = join(import.meta.dirname, "../../node_modules/vitest/vitest.mjs");

/** Runs test files of a copy of the project in a process of their own, up to the first failure. */
export async function runTests(root: string, paths: readonly string[]): Promise<TestRun> {
  const report = join(root, "report.json");
  await rm(report, { force: true });
  const output = await vitest(root, ["run", ...paths, "--reporter=json", `--outputFile=${report}`]);
  const text = await readFile(report, "utf8").catch(() => undefined);
  if (text === undefined) return { kind: "broken", reason: output };
  return runOf(root, v.parse(REPORT, JSON.parse(text)));
}

/** Threads, not processes: a test that spins for ever then ends with the process that is killed.
 *  No cache of earlier results: vitest would begin with the files that took longest. */
const OPTIONS = ["--bail=1", "--no-cache", "--pool=threads", "--maxWorkers=1"];

/** Never throws; resolves to the last that the process said, or why it was ended. */
function vitest(root: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [VITEST, ...args, ...OPTIONS],
      {
        cwd: root,
        // biome-ignore lint/style/noProcessEnv: the tests get the environment that they always run in.
        env: { ...process.env, MODEL_RUNS },
        timeout: TIME_LIMIT_MS,
        killSignal: "SIGKILL",
        maxBuffer: 64 * 1024 * 1024,
      },
      (error, stdout, stderr) => {
        const ended = error?.killed === true ? `no verdict within ${TIME_LIMIT_MS / 1000} s: ` : "";
        resolve(`${ended}${`${stderr}${stdout}`.trim().slice(-2000)}`);
      },
    );
  });
}

/** What is read of vitest's JSON report. */
const REPORT = v.object({
  numPassedTests: v.number(),
  success: v.boolean(),
  testResults: v.array(
    v.object({
      name: v.string(),
      message: v.string(),
      assertionResults: v.array(v.object({ fullName: v.string(), status: v.string() })),
    }),
  ),
});

function runOf(root: string, report: v.InferOutput<typeof REPORT>): TestRun {
  for (const { name, assertionResults } of report.testResults) {
    const failed = assertionResults.find(({ status }) => status === "failed");
    const file = name.slice(root.length + 1);
    if (failed !== undefined) return { kind: "failed", by: failed.fullName, file };
  }
  const tests = report.numPassedTests;
  if (report.success && tests > 0) return { kind: "passed", tests };
  const messages = report.testResults.map(({ message }) => message).filter((one) => one !== "");
  return { kind: "broken", reason: messages.join("; ") || "a file did not load" };
}
