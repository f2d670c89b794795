import { describe, expect, it } from "vitest";
import { type Invocation, invocationMetrics } from "../../../local/cloudwatch/lambda-metrics.ts";

function valuesOf(fields: Partial<Invocation>) {
  const invocation = { functionName: "consumer", durationMs: 12, concurrent: 3, ...fields };
  const data = invocationMetrics({ outcome: "success", ...invocation }, 1_800_000_000_000);
  for (const { namespace, dimensions } of data) {
    expect({ namespace, dimensions }).toEqual({
      namespace: "AWS/Lambda",
      dimensions: { FunctionName: "consumer" },
    });
  }
  return Object.fromEntries(data.map(({ metricName, value }) => [metricName, value]));
}

describe("invocation metrics", () => {
  it.each([
    { outcome: "success", errors: 0 },
    { outcome: "error", errors: 1 },
  ] as const)("count an invocation with $errors errors for $outcome", ({ outcome, errors }) => {
    expect(valuesOf({ outcome })).toEqual({
      Invocations: 1,
      Errors: errors,
      Throttles: 0,
      Duration: 12,
      ConcurrentExecutions: 3,
    });
  });

  it("count a throttled one as a throttle and not as an invocation", () => {
    expect(valuesOf({ outcome: "throttled" })).toEqual({ Throttles: 1 });
  });
});
