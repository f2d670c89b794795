import { describe, expect, it } from "vitest";
import type { FunctionLine } from "../../../local/lambda/server.ts";
import { bundleOf, functionOf, lives } from "./function-bundle.ts";
import { localLambda } from "./local-lambda.ts";

/** Invokes a function that has this body once. */
async function outcomeOf(body: string, given: Parameters<typeof functionOf>[1] = {}) {
  const lambda = await localLambda();
  lambda.createFunction(functionOf(body, given));
  return { lambda, result: await lambda.invoke("game", { gold: 5 }) };
}

describe("an execution environment", () => {
  it("calls the handler with the event and answers with what it resolves to", async () => {
    const { result } = await outcomeOf("return { doubled: event.gold * 2 };");
    expect(result.payload).toEqual({ doubled: 10 });
    expect(result.functionError).toBeUndefined();
  });

  it("answers null where the handler resolves to nothing", async () => {
    const { result } = await outcomeOf("");
    expect(result.payload).toBeNull();
  });

  it("gives the handler the context of the Node runtime", async () => {
    const { result } = await outcomeOf(
      "return { ...context, left: context.getRemainingTimeInMillis() };",
      { memoryMb: 256 },
    );
    expect(result.payload).toMatchObject({
      awsRequestId: result.requestId,
      functionName: "game",
      functionVersion: "$LATEST",
      memoryLimitInMB: "256",
      invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:game",
      logGroupName: "/aws/lambda/game",
    });
    const { left } = result.payload as { left: number };
    expect(left).toBeGreaterThan(4000);
    expect(left).toBeLessThanOrEqual(5000);
  });

  it("has the function's variables and the runtime's, and inherits none", async () => {
    const lambda = await localLambda({
      childEnvironment: { PATH: "/bin", AWS_ENDPOINT_URL_SQS: "http://127.0.0.1:1" },
    });
    const environment = { TABLE: "wallets", AWS_REGION: "nowhere-1" };
    lambda.createFunction(functionOf("return process.env;", { environment }));
    const { payload } = await lambda.invoke("game", {});
    expect(payload).toMatchObject({
      TABLE: "wallets",
      PATH: "/bin",
      AWS_ENDPOINT_URL_SQS: "http://127.0.0.1:1",
      AWS_REGION: "us-east-1",
      AWS_LAMBDA_FUNCTION_NAME: "game",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "128",
      AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    });
    expect(payload).not.toHaveProperty("HOME");
    expect(payload).not.toHaveProperty("VITEST");
  });

  it.each([
    {
      body: 'throw new RangeError("too much gold");',
      error: { errorType: "RangeError", errorMessage: "too much gold" },
      why: "an error is told by its name and text",
    },
    {
      body: "throw undefined;",
      error: { errorType: "undefined", errorMessage: "undefined", trace: [] },
      why: "anything can be thrown",
    },
    {
      body: 'setTimeout(() => { throw new Error("late"); }); await new Promise(() => {});',
      error: { errorType: "Error", errorMessage: "late" },
      why: "an exception that nothing catches ends the process",
    },
    {
      body: 'return "x".repeat(7_000_000);',
      error: { errorType: "Function.ResponseSizeTooLarge" },
      why: "Lambda answers 6 MB at most",
    },
    {
      body: "return 1n;",
      error: { errorType: "TypeError" },
      why: "the answer must be JSON",
    },
  ])("turns `$body` into a function error: $why", async ({ body, error }) => {
    const { result } = await outcomeOf(body);
    expect(result.functionError).toBe("Unhandled");
    expect(result.payload).toMatchObject(error);
  });

  it.each([
    { code: 7, said: "Error: Runtime exited with error: exit status 7" },
    { code: 0, said: "Error: Runtime exited without providing a reason" },
  ])("tells an exit with $code in Lambda's words", async ({ code, said }) => {
    const { lambda, result } = await outcomeOf(`process.exit(${code});`);
    expect(result.functionError).toBe("Unhandled");
    expect(result.payload).toEqual({
      errorType: "Runtime.ExitError",
      errorMessage: `RequestId: ${result.requestId} ${said}`,
    });
    expect(lambda.environments()).toEqual([]);
  });

  it.each([
    { hang: "await new Promise(() => {});", why: "waits for ever" },
    { hang: "for (;;);", why: "blocks its event loop" },
  ])("kills a handler that $why at the function's timeout", async ({ hang }) => {
    const { lambda, result } = await outcomeOf(hang, { timeoutSeconds: 1 });
    expect(result.payload).toEqual({
      errorType: "Sandbox.Timedout",
      errorMessage: `RequestId: ${result.requestId} Error: Task timed out after 1.00 seconds`,
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(990);
    expect(lambda.environments()).toEqual([]);
  });

  it("dies when the handler outgrows the function's memory", async () => {
    const { result } = await outcomeOf(
      "const all = []; for (;;) all.push(new Array(100_000).fill(Math.random()));",
    );
    expect(result.functionError).toBe("Unhandled");
    expect(result.logTail).toContain("JavaScript heap out of memory");
  });

  it.each([
    {
      source: 'import "./missing.mjs"; export const handler = () => {};',
      error: { errorType: "Error", errorMessage: expect.stringContaining("missing.mjs") },
    },
    {
      source: 'throw new Error("no table name");',
      error: { errorType: "Error", errorMessage: "no table name" },
    },
    {
      source: "export const other = 1;",
      error: {
        errorType: "Runtime.HandlerNotFound",
        errorMessage: "index.handler is undefined or not exported",
      },
    },
    {
      source: "export const handler = ;",
      error: { errorType: "SyntaxError" },
    },
  ])("answers with the error of a bundle that cannot start: $source", async (bundle) => {
    const lambda = await localLambda();
    lambda.createFunction({ ...functionOf(""), codeDirectory: bundleOf(bundle.source) });
    const result = await lambda.invoke("game", {});
    expect(result.functionError).toBe("Unhandled");
    expect(result.payload).toMatchObject(bundle.error);
    expect(lambda.environments()).toEqual([]);
  });

  it("hands on every line of its output, and all of an invocation's before its answer", async () => {
    const lines: FunctionLine[] = [];
    const lambda = await localLambda({ onLine: (line) => lines.push(line) });
    lambda.createFunction(
      functionOf('for (let i = 0; i < 200; i++) console.log("line", i); console.error("oops");'),
    );
    const { logTail } = await lambda.invoke("game", {});
    const written = lines.filter(({ stream }) => stream === "stdout").map(({ text }) => text);
    expect(written).toEqual(Array.from({ length: 200 }, (_, i) => `line ${i}`));
    expect(lines).toContainEqual({ functionName: "game", stream: "stderr", text: "oops" });
    expect(logTail).toMatch(
      /^START RequestId: (.*) Version: \$LATEST\n(.*\n)+REPORT RequestId: \1/,
    );
  });

  it("keeps module state between two invocations, and a thrown error does not end it", async () => {
    const lambda = await localLambda();
    lambda.createFunction({
      ...functionOf(""),
      codeDirectory: bundleOf(
        'let calls = 0; export const handler = () => { if (++calls === 2) throw new Error("second"); return { calls, pid: process.pid }; };',
      ),
    });
    const first = await lambda.invoke("game", {});
    const second = await lambda.invoke("game", {});
    const third = await lambda.invoke("game", {});
    const { pid } = first.payload as { pid: number };
    expect(first.payload).toEqual({ calls: 1, pid });
    expect(second.functionError).toBe("Unhandled");
    expect(third.payload).toEqual({ calls: 3, pid });
    expect(lives(pid)).toBe(true);
  });
});
