import { Logger } from "@aws-lambda-powertools/logger";
import { Metrics } from "@aws-lambda-powertools/metrics";
import { METRIC_DIMENSION, METRIC_NAMESPACE } from "../core/metrics.ts";

/** Structured JSON logs of one function. `backlog` is the backlog's name. */
export function loggerOf(service: string, backlog: string): Logger {
  return new Logger({ serviceName: service, persistentKeys: { backlog } });
}

/** Embedded metrics with the one dimension that every alarm looks at: the backlog's name. */
export function metricsOf(backlog: string): Metrics {
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE });
  // The alarms look at series with this dimension alone; Powertools would add `service` to it.
  metrics.clearDefaultDimensions();
  metrics.setDefaultDimensions({ [METRIC_DIMENSION]: backlog });
  return metrics;
}
