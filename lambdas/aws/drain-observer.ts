import type { Logger } from "@aws-lambda-powertools/logger";
import { type Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { DrainEvent, Report } from "../core/drain/drain-report.ts";
import { CONSUMER_METRICS } from "../core/metrics.ts";

/** Turns what a drain reports into log lines and metrics. A delivered record is a metric only: a log
 *  line for each would cost more than delivering it. */
export function observeDrain(logger: Logger, metrics: Metrics): Report {
  return (event) => {
    measure(event, metrics);
    log(event, logger);
  };
}

function measure(event: DrainEvent, metrics: Metrics): void {
  switch (event.kind) {
    case "delivered":
      metrics.addMetric(CONSUMER_METRICS.delivered, MetricUnit.Count, 1);
      metrics.addMetric(CONSUMER_METRICS.deliveryAge, MetricUnit.Milliseconds, event.ageMs);
      return;
    case "retried":
      metrics.addMetric(CONSUMER_METRICS.retried, MetricUnit.Count, 1);
      return;
    case "deadLettered":
      metrics.addMetric(CONSUMER_METRICS.deadLettered, MetricUnit.Count, 1);
      return;
    case "interrupted":
      metrics.addMetric(CONSUMER_METRICS.infrastructureFailures, MetricUnit.Count, 1);
      return;
    case "settledBefore":
    case "abandoned":
    case "outOfTime":
      return;
    default:
      event satisfies never;
  }
}

function log(event: DrainEvent, logger: Logger): void {
  const { kind, ...facts } = event;
  switch (kind) {
    case "delivered":
      return;
    case "settledBefore":
      logger.info("record was settled before; acknowledged without a call", facts);
      return;
    case "retried":
      logger.warn("attempt failed; the record stays at the head of its partition", facts);
      return;
    case "deadLettered":
      logger.error("record became a dead letter; its partition moves on", facts);
      return;
    case "abandoned":
      logger.warn(
        "the handler did not stop at its signal; without effects it may still be writing",
        facts,
      );
      return;
    case "outOfTime":
      logger.info("no time left for another attempt; nothing was charged", facts);
      return;
    case "interrupted":
      logInterruption(facts, logger);
      return;
    default:
      kind satisfies never;
  }
}

function logInterruption(facts: object, logger: Logger): void {
  const { error, ...subject } = facts as { readonly error: unknown };
  const cause = error instanceof Error ? error : new Error(String(error));
  logger.error("ledger or queue failed; the group stops and nothing is charged", {
    ...subject,
    error: cause,
  });
}
