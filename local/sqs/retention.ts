import { refreshGroup, unplaceMessage } from "./placing.ts";
import { type Message, millisecondsOf, type Queue } from "./queue.ts";

// A sweep a second is fine enough for a retention of at least a minute.
const SHORTEST_PAUSE_MS = 1000;

/**
 * Sees to it that the queue is swept when its oldest message, or its oldest remembered
 * de-duplication or attempt id, expires: one deadline for the whole queue. Call it when anything
 * was added.
 */
export function scheduleSweep(queue: Queue): void {
  const expiryMs = nextExpiryMs(queue);
  if (expiryMs === undefined) return;
  const { now, deadlines } = queue.runtime;
  const dueMs = Math.max(expiryMs, now() + SHORTEST_PAUSE_MS);
  if (queue.sweep !== undefined && queue.sweep.dueMs <= dueMs) return;
  cancelSweep(queue);
  queue.sweep = deadlines.schedule(dueMs, () => {
    queue.sweep = undefined;
    sweep(queue);
    scheduleSweep(queue);
  });
}

/** Schedules anew: for a retention period that changed. */
export function rescheduleSweep(queue: Queue): void {
  cancelSweep(queue);
  scheduleSweep(queue);
}

export function cancelSweep(queue: Queue): void {
  queue.runtime.deadlines.cancel(queue.sweep);
  queue.sweep = undefined;
}

function sweep(queue: Queue): void {
  const { now, record } = queue.runtime;
  const nowMs = now();
  let oldest = queue.arrivals.first?.value;
  while (oldest !== undefined && expiryMsOf(queue, oldest) <= nowMs) {
    unplaceMessage(oldest);
    refreshGroup(oldest.group);
    record({ kind: "removed", queue: queue.name, id: oldest.facts.id, deleted: false });
    oldest = queue.arrivals.first?.value;
  }
  queue.deduplication.prune(nowMs);
  queue.attempts.prune(nowMs);
}

function nextExpiryMs(queue: Queue): number | undefined {
  const oldest = queue.arrivals.first?.value;
  const expiries = [
    oldest === undefined ? undefined : expiryMsOf(queue, oldest),
    queue.deduplication.oldestExpiryMs(),
    queue.attempts.oldestExpiryMs(),
  ].filter((expiry) => expiry !== undefined);
  return expiries.length === 0 ? undefined : Math.min(...expiries);
}

function expiryMsOf(queue: Queue, message: Message): number {
  return message.facts.sentAtMs + millisecondsOf(queue, "MessageRetentionPeriod");
}
