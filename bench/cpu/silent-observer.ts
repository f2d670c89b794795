import { env } from "node:process";
import { observeDrain } from "../../lambdas/aws/drain-observer.ts";
import { loggerOf, metricsOf } from "../../lambdas/aws/observability.ts";
import type { Report } from "../../lambdas/core/drain/drain-report.ts";

/** What the deployed consumer tells, with the line of each invocation made and dropped. */
export type Observer = {
  readonly report: Report;
  /** At the end of each invocation. @returns the line's bytes */
  readonly flush: () => number;
};

export function silentObserver(): Observer {
  // Powertools then writes through the global console, which can be silenced.
  env["POWERTOOLS_DEV"] = "true";
  env["POWERTOOLS_METRICS_DISABLED"] = "false";
  const metrics = metricsOf("backlog");
  return {
    report: observeDrain(loggerOf("consumer", "backlog"), metrics),
    flush(): number {
      const { log } = console;
      let bytes = 0;
      console.log = (line: string): void => {
        bytes += Buffer.byteLength(line) + 1;
      };
      try {
        metrics.publishStoredMetrics();
      } finally {
        console.log = log;
      }
      return bytes;
    },
  };
}
