import type { Lease, RunningLease } from "../../../lambdas/core/replay/replay-ports.ts";
import type { VirtualClock } from "../virtual-clock.ts";

/** The replay's lease in memory. */
export function worldLease(clock: VirtualClock) {
  const cancelled = new Set<string>();
  let lease: Lease | undefined;
  return {
    lease: () => lease,
    setLease(next: Lease | undefined) {
      lease = next;
    },
    acquire(wanted: Lease): Lease | undefined {
      if (lease !== undefined && lease.expiresAtMs > clock.nowMs()) return lease;
      lease = wanted;
      return undefined;
    },
    release(runId: string): void {
      if (lease?.runId === runId) lease = undefined;
    },
    current(): RunningLease | undefined {
      if (lease === undefined || lease.expiresAtMs <= clock.nowMs()) return undefined;
      return { ...lease, cancelled: cancelled.has(lease.runId) };
    },
    cancel(runId: string): boolean {
      if (lease?.runId !== runId || lease.expiresAtMs <= clock.nowMs()) return false;
      cancelled.add(runId);
      return true;
    },
  };
}
