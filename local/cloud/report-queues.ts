import { queueMetrics } from "../cloudwatch/queue-metrics.ts";
import type { CloudWatch } from "../cloudwatch/server.ts";
import { minuteMsOf } from "../cloudwatch/time-grid.ts";
import type { QueueSample } from "../sqs/queue-sample.ts";
import type { Sqs } from "../sqs/server.ts";

/**
 * Reports every queue to CloudWatch once a CloudWatch minute, until the function that is returned is
 * called. The timer does not keep the process alive.
 */
export function reportQueues(
  sqs: Sqs,
  cloudwatch: CloudWatch,
  divisor: number,
): () => Promise<void> {
  let before: ReadonlyMap<string, QueueSample> = new Map();
  const report = (): void => {
    const samples = sqs.sample();
    for (const sample of samples) {
      for (const datum of queueMetrics(before.get(sample.queueName), sample, Date.now())) {
        cloudwatch.record(datum);
      }
    }
    before = new Map(samples.map((sample) => [sample.queueName, sample]));
  };
  const timer = setInterval(report, minuteMsOf(divisor)).unref();
  return async () => clearInterval(timer);
}
