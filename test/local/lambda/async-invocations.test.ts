import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAsyncInvocations } from "../../../local/lambda/async-invocations.ts";
import { ThrottledError } from "../../../local/lambda/concurrency.ts";
import type { InvocationResult } from "../../../local/lambda/execution-environment.ts";
import { FunctionNotFoundError, type Functions } from "../../../local/lambda/functions.ts";

vi.mock("node:timers/promises", () => ({
  setTimeout: (ms: number, _value: undefined, { signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve, reject) => {
      setTimeout(resolve, ms);
      signal.addEventListener("abort", () => reject(signal.reason));
    }),
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const OK = { payload: null } as InvocationResult;
const FAILED = { payload: null, functionError: "Unhandled" } as InvocationResult;

/** Functions that answer by the list, and when they were called, in seconds from now. */
function functionsOf(answers: readonly (InvocationResult | Error)[], asyncRetriesMax = 2) {
  const calledAtSeconds: number[] = [];
  const startedAtMs = Date.now();
  const functions = {
    get: () => ({ asyncRetriesMax }),
    async invoke() {
      const answer = answers[calledAtSeconds.length] ?? OK;
      calledAtSeconds.push((Date.now() - startedAtMs) / 1000);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } as unknown as Functions;
  return { asyncInvocations: createAsyncInvocations(functions), calledAtSeconds };
}

describe("asynchronous invocations", () => {
  it.each([
    {
      retries: 2,
      answers: [FAILED, FAILED, FAILED, OK],
      at: [0, 60, 180],
      why: "twice by default",
    },
    { retries: 2, answers: [FAILED, OK], at: [0, 60], why: "only until it succeeds" },
    { retries: 0, answers: [FAILED, OK], at: [0], why: "not at all where the function says so" },
    {
      retries: 0,
      answers: [new ThrottledError("full"), new ThrottledError("full"), OK],
      at: [0, 1, 2],
      why: "until it ran once, if no slot was free",
    },
    {
      retries: 2,
      answers: [FAILED, new FunctionNotFoundError("game", []), OK],
      at: [0, 60],
      why: "no more once their function is deleted",
    },
  ])("are repeated $why", async ({ retries, answers, at }) => {
    const { asyncInvocations, calledAtSeconds } = functionsOf(answers, retries);
    asyncInvocations.accept("game", "{}");
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(calledAtSeconds).toEqual(at);
  });

  it("give up the retries that wait when Lambda closes", async () => {
    const { asyncInvocations, calledAtSeconds } = functionsOf([FAILED]);
    asyncInvocations.accept("game", "{}");
    await vi.advanceTimersByTimeAsync(1000);
    await asyncInvocations.close();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(calledAtSeconds).toEqual([0]);
  });
});
