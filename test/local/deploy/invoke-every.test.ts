import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { invokeEvery } from "../../../local/deploy/invoke-every.ts";
import { ThrottledError } from "../../../local/lambda/concurrency.ts";
import { FunctionNotFoundError } from "../../../local/lambda/functions.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("invokes once a period, from the end of the first one, until it is stopped", async () => {
  const invoke = vi.fn(async () => undefined);
  const stop = invokeEvery(1000, invoke);
  await vi.advanceTimersByTimeAsync(999);
  expect(invoke).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(2001);
  expect(invoke).toHaveBeenCalledTimes(3);
  stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(invoke).toHaveBeenCalledTimes(3);
});

test("leaves out what is due while the run before goes on", async () => {
  const running = Promise.withResolvers<void>();
  const invoke = vi.fn(() => running.promise);
  const stop = invokeEvery(1000, invoke);
  await vi.advanceTimersByTimeAsync(5000);
  expect(invoke).toHaveBeenCalledTimes(1);
  running.resolve();
  await vi.advanceTimersByTimeAsync(1000);
  expect(invoke).toHaveBeenCalledTimes(2);
  stop();
});

test.each([
  { error: new ThrottledError("busy"), why: "found no free slot" },
  { error: new FunctionNotFoundError("tick", []), why: "found its function deleted" },
])("goes on after a run that $why", async ({ error }) => {
  const invoke = vi.fn().mockRejectedValueOnce(error).mockResolvedValue("ran");
  const stop = invokeEvery(1000, invoke);
  await vi.advanceTimersByTimeAsync(2000);
  expect(invoke).toHaveBeenCalledTimes(2);
  stop();
});
