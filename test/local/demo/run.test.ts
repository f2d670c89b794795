import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { expect, it, onTestFinished, vi } from "vitest";

vi.setConfig({ testTimeout: 90_000 });

/** Starts the run as `npm start` does; gives what it has written so far. */
function start(...flags: readonly string[]) {
  const run = spawn(process.execPath, ["local/run.ts", ...flags], { cwd: resolve(".") });
  const written = { stdout: "", stderr: "" };
  run.stdout.on("data", (chunk) => {
    written.stdout += chunk;
  });
  run.stderr.on("data", (chunk) => {
    written.stderr += chunk;
  });
  onTestFinished(() => void run.kill("SIGKILL"));
  return { run, written };
}

async function ended(run: ChildProcess): Promise<number | null> {
  if (run.exitCode === null) await once(run, "exit");
  return run.exitCode;
}

function fileOf(events: readonly object[]): string {
  const directory = mkdtempSync(join(tmpdir(), "events-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "events.ndjson");
  writeFileSync(path, events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  return path;
}

/** Processes that a process started and that run still, theirs included. */
function descendantsOf(pid: number | undefined): readonly number[] {
  const all = execFileSync("ps", ["-A", "-o", "pid=,ppid="])
    .toString()
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  return all
    .filter(([, parent]) => parent === pid)
    .flatMap(([child = 0]) => [child, ...descendantsOf(child)]);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it("runs a user's events to the end, says what came of them, and stays until it is told", async () => {
  const keys = ["player:王小明", "player:Zoë", "guild:🐉"];
  const credits = keys.map((key) => ({ key, payload: { type: "credit", amount: 100 } }));
  const events = [
    ...credits,
    { key: "", payload: { type: "credit", amount: 1 } },
    { key: keys[0], payload: { type: "purchase", item: "phoenix" } },
    { key: keys[0], payload: { type: "purchase", item: "potion" } },
    { key: keys[1], payload: { type: "debit", amount: 5, demo: "flaky:2" } },
    { key: keys[2], payload: { type: "debit", amount: 5 }, unknown: 1 },
  ];
  const { run, written } = start("--json", "--keep", "--events", fileOf(events));
  const ready = () => expect(written.stderr).toContain("Ctrl-C ends it");
  await vi.waitFor(ready, { timeout: 80_000, interval: 200 });

  expect(JSON.parse(written.stdout)).toMatchObject({
    ...{ published: 6, applied: 6, deadLetters: 1, replayed: 1, skipped: 0, failed: 0 },
    ...{ lost: 0, doubled: 0, disorder: 0, innocents: 0, levelAfter: "ok" },
    seconds: expect.any(Number),
  });
  expect(written.stderr).toMatch(/line 4 refused: expected `key`/);
  expect(written.stderr).toMatch(/line 8 refused: .*"unknown"/);
  expect(written.stderr).toContain("catalogue has no item phoenix");

  const exported = Object.fromEntries(
    [...written.stderr.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  const ssm = new SSMClient({ endpoint: exported["AWS_ENDPOINT_URL_SSM"] });
  const { Parameter } = await ssm.send(new GetParameterCommand({ Name: "/backlogorder/demo" }));
  ssm.destroy();
  expect(JSON.parse(Parameter?.Value ?? "")).toMatchObject({ partitions: 16 });

  const started = descendantsOf(run.pid);
  expect(started.length).toBeGreaterThan(0);
  run.kill("SIGINT");
  expect(await ended(run)).toBe(0);
  expect(started.filter(isRunning)).toEqual([]);
});

it("ends what it has started when it is stopped half-way", async () => {
  const { run, written } = start("--json");
  const publishing = () => expect(written.stderr).toContain("published: 2000 of 2000");
  await vi.waitFor(publishing, { timeout: 60_000, interval: 100 });
  const started = descendantsOf(run.pid);
  run.kill("SIGTERM");
  expect(await ended(run)).toBe(1);
  expect(started.filter(isRunning)).toEqual([]);
  expect(written.stderr).toMatch(/stopped by SIGTERM\n$/);
  expect(written.stdout).toBe("");
});

it("says what it expected where the event file is not there, before it starts anything", async () => {
  const { run, written } = start("--events", "nowhere.ndjson");
  expect(await ended(run)).toBe(1);
  expect(written.stderr).toMatch(/nowhere\.ndjson/);
  expect(written.stdout).toBe("");
});
