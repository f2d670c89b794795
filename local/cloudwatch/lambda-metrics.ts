import type { MetricDatum } from "./metric-store.ts";

/** How one request to invoke a function ended. */
export type Invocation = {
  readonly functionName: string;
  /** `error`: it threw, timed out or its process died. `throttled`: it was never started. */
  readonly outcome: "success" | "error" | "throttled";
  /** Milliseconds that the handler ran; not looked at for a throttled one. */
  readonly durationMs: number;
  /** Invocations of the function that ran at this moment, this one included. */
  readonly concurrent: number;
};

/**
 * The AWS/Lambda metrics of one invocation, by FunctionName. A throttled one counts as a throttle
 * and as nothing else.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
 */
export function invocationMetrics(
  { functionName, outcome, durationMs, concurrent }: Invocation,
  timestampMs: number,
): readonly MetricDatum[] {
  const datum = (metricName: string, value: number, unit = "Count"): MetricDatum => ({
    namespace: "AWS/Lambda",
    metricName,
    dimensions: { FunctionName: functionName },
    timestampMs,
    value,
    unit,
  });
  if (outcome === "throttled") return [datum("Throttles", 1)];
  return [
    datum("Invocations", 1),
    datum("Errors", outcome === "error" ? 1 : 0),
    datum("Throttles", 0),
    datum("Duration", durationMs, "Milliseconds"),
    datum("ConcurrentExecutions", concurrent),
  ];
}
