import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { InvocationReport } from "../../../local/lambda/functions.ts";
import { bundleOf, functionOf, lives } from "./function-bundle.ts";
import { localLambda } from "./local-lambda.ts";

const HANG = "await new Promise(() => {});";
const PID = "return process.pid;";

const gone = (pid: number) => vi.waitFor(() => expect(lives(pid)).toBe(false), 10_000);

describe("the processes of functions", () => {
  it("runs invocations that come at once side by side, each in a process of its own", async () => {
    const lambda = await localLambda();
    lambda.createFunction(
      functionOf("await new Promise((done) => setTimeout(done, 300)); return process.pid;"),
    );
    const results = await Promise.all([1, 2, 3].map(() => lambda.invoke("game", {})));
    expect(new Set(results.map(({ payload }) => payload)).size).toBe(3);
  });

  it("lets an invocation above the limit wait for a slot", async () => {
    const reports: InvocationReport[] = [];
    const lambda = await localLambda({
      concurrency: 2,
      onInvocation: (report) => reports.push(report),
    });
    lambda.createFunction(functionOf(PID));
    await Promise.all([1, 2, 3, 4, 5].map(() => lambda.invoke("game", {})));
    expect(lambda.environments().length).toBeLessThanOrEqual(2);
    expect(reports.map(({ outcome }) => outcome)).toEqual(Array(5).fill("success"));
    expect(Math.max(...reports.map(({ concurrent }) => concurrent))).toBe(2);
  });

  it("stops the process that idled longest to make room for another function's", async () => {
    const lambda = await localLambda({ concurrency: 1 });
    lambda.createFunction(functionOf(PID, { name: "first" }));
    lambda.createFunction(functionOf(PID, { name: "second" }));
    const { payload } = await lambda.invoke("first", {});
    await lambda.invoke("second", {});
    await gone(Number(payload));
    expect(lambda.environments()).toMatchObject([{ functionName: "second", busy: false }]);
  });

  it("stops a process that idled too long", async () => {
    const lambda = await localLambda({ idleSeconds: 0.1 });
    lambda.createFunction(functionOf(PID));
    const { payload } = await lambda.invoke("game", {});
    await gone(Number(payload));
    await vi.waitFor(() => expect(lambda.environments()).toEqual([]));
  });

  it("runs new code in new processes, while a running invocation ends on the old", async () => {
    const lambda = await localLambda();
    const answering = (text: string) =>
      `await new Promise((done) => setTimeout(done, event.ms)); return { text: "${text}", pid: process.pid };`;
    lambda.createFunction(functionOf(answering("old")));
    const idle = (await lambda.invoke("game", { ms: 0 })).payload as { pid: number };
    const slow = lambda.invoke("game", { ms: 400 });
    const alsoSlow = lambda.invoke("game", { ms: 400 });
    const { codeDirectory } = functionOf(answering("new"));
    await vi.waitFor(() => expect(lambda.environments()).toHaveLength(2));

    lambda.updateFunction("game", { codeDirectory });

    const fresh = await lambda.invoke("game", { ms: 0 });
    expect(fresh.payload).toMatchObject({ text: "new" });
    const ended = [await slow, await alsoSlow].map(({ payload }) => payload as { pid: number });
    expect(ended).toMatchObject([{ text: "old" }, { text: "old" }]);
    for (const { pid } of [idle, ...ended]) await gone(pid);
    expect(lambda.environments()).toHaveLength(1);
  });

  it("answers with a function error when its process is killed from outside", async () => {
    const reports: InvocationReport[] = [];
    const lambda = await localLambda({ onInvocation: (report) => reports.push(report) });
    lambda.createFunction(functionOf(HANG));
    const running = lambda.invoke("game", {});
    await vi.waitFor(() => expect(lambda.environments()).toMatchObject([{ busy: true }]));
    for (const { pid } of lambda.environments()) process.kill(pid, "SIGKILL");
    const result = await running;
    expect(result.functionError).toBe("Unhandled");
    expect(result.payload).toMatchObject({
      errorMessage: expect.stringContaining("signal: SIGKILL"),
    });
    expect(reports).toMatchObject([{ functionName: "game", outcome: "error", concurrent: 1 }]);
  });

  it("replaces an idle process that was killed", async () => {
    const lambda = await localLambda();
    lambda.createFunction(functionOf(PID));
    const { payload } = await lambda.invoke("game", {});
    process.kill(Number(payload), "SIGKILL");
    await vi.waitFor(() => expect(lambda.environments()).toEqual([]));
    const again = await lambda.invoke("game", {});
    expect(again.functionError).toBeUndefined();
    expect(again.payload).not.toBe(payload);
  });

  it("refuses a function whose bundle or numbers cannot be", async () => {
    const lambda = await localLambda();
    const props = functionOf("");
    expect(() => lambda.createFunction({ ...props, timeoutSeconds: 901 })).toThrow("from 1 to 900");
    expect(() => lambda.createFunction({ ...props, memoryMb: 64 })).toThrow("from 128 to 10240");
    expect(() => lambda.createFunction({ ...props, codeDirectory: "/nowhere" })).toThrow(
      "Synthesize the app first",
    );
    lambda.createFunction(props);
    expect(() => lambda.createFunction(props)).toThrow("Function already exists: game");
    await expect(lambda.invoke("shop", {})).rejects.toThrow("There are: game");
  });
});

describe("closing", () => {
  it("waits for a running invocation as long as it was told", async () => {
    const lambda = await localLambda({ graceSeconds: 5 });
    lambda.createFunction(
      functionOf("await new Promise((done) => setTimeout(done, 500)); return 'done';"),
    );
    const running = lambda.invoke("game", {});
    await lambda.close();
    expect((await running).payload).toBe("done");
    expect(lambda.environments()).toEqual([]);
  });

  it("kills what is still running then, and leaves no process behind", async () => {
    const lambda = await localLambda({ graceSeconds: 0.1 });
    lambda.createFunction(functionOf("if (event.hang) for (;;); return process.pid;"));
    await lambda.invoke("game", {});
    const hanging = [1, 2].map(() => lambda.invoke("game", { hang: true }));
    await vi.waitFor(() => expect(lambda.environments()).toHaveLength(2));
    const pids = lambda.environments().map(({ pid }) => pid);
    await lambda.close();
    expect(pids.filter(lives)).toEqual([]);
    for (const { functionError } of await Promise.all(hanging)) {
      expect(functionError).toBe("Unhandled");
    }
    await expect(lambda.invoke("game", {})).rejects.toThrow("Lambda is stopping");
  });

  it.each([
    { signal: "SIGINT", ends: "SIGINT", body: HANG, why: "Ctrl-C without a handler for it" },
    { signal: "SIGTERM", ends: "exit", body: "for (;;);", why: "a handler that exits at once" },
    { signal: "SIGKILL", ends: "SIGKILL", body: "for (;;);", why: "nothing can handle it" },
  ] as const)(
    "leaves no process when its own is ended by $signal: $why",
    { timeout: 20_000 },
    async (row) => {
      const { parent, pid } = await runningElsewhere(row.body, row.ends === "exit");
      expect(lives(pid)).toBe(true);
      parent.kill(row.signal);
      await once(parent, "exit");
      await gone(pid);
    },
  );
});

/** A process of its own that runs Lambda with one hanging invocation. */
async function runningElsewhere(
  body: string,
  exits: boolean,
): Promise<{ readonly parent: ChildProcess; readonly pid: number }> {
  const props = { ...functionOf(`console.log(process.pid); ${body}`), timeoutSeconds: 60 };
  const script = join(bundleOf(""), "parent.ts");
  const server = join(import.meta.dirname, "../../../local/lambda/server.ts");
  writeFileSync(
    script,
    `import { startLambda } from ${JSON.stringify(server)};
    ${exits ? 'process.on("SIGTERM", () => process.exit(1));' : ""}
    const lambda = await startLambda({
      region: "us-east-1", accountId: "0", sqsEndpoint: "http://127.0.0.1:9", childEnvironment: {},
      onLine: ({ text }) => console.log(text),
    });
    lambda.createFunction(${JSON.stringify(props)});
    await lambda.invoke("game", {});`,
  );
  const parent = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [line] = await once(createInterface({ input: parent.stdout }), "line");
  return { parent, pid: Number(line) };
}
