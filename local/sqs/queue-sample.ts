import type { Counters } from "./journal-event.ts";
import type { Queue } from "./queue.ts";

/** What one queue looks like at one moment. The counters only grow. */
export type QueueSample = Readonly<Counters> & {
  readonly queueName: string;
  readonly arn: string;
  readonly visible: number;
  readonly notVisible: number;
  readonly delayed: number;
  /** Since the oldest message was sent, be it visible or not; undefined while the queue is empty. */
  readonly oldestAgeSeconds: number | undefined;
};

export function sampleOf(queue: Queue): QueueSample {
  const oldest = queue.arrivals.first?.value.facts.sentAtMs;
  return {
    queueName: queue.name,
    arn: queue.arn,
    ...queue.counters,
    visible: queue.counts.visible,
    notVisible: queue.counts.inFlight,
    delayed: queue.counts.delayed,
    oldestAgeSeconds:
      oldest === undefined ? undefined : Math.max(0, (queue.runtime.now() - oldest) / 1000),
  };
}
