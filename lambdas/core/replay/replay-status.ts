import type { ReplayPorts } from "./replay-ports.ts";
import { answerOf } from "./replay-unavailable.ts";

/** Who replays now. Moments are ISO 8601. */
export type ReplayStatus = {
  readonly lease: {
    readonly runId: string;
    readonly who: string;
    readonly since: string;
    /** When another run may begin, should this one have died. */
    readonly expiresAt: string;
    readonly cancelling: boolean;
  } | null;
};

/** `cancelled: false`: that run does not hold the lease; `lease` says which one does. */
export type Cancellation = ReplayStatus & { readonly runId: string; readonly cancelled: boolean };

/** @throws ReplayUnavailableError where the ledger fails. */
export async function replayStatus({ ledger }: Pick<ReplayPorts, "ledger">): Promise<ReplayStatus> {
  const lease = await answerOf("the ledger", ledger.currentLease());
  if (lease === undefined) return { lease: null };
  const { runId, who, sinceMs, expiresAtMs, cancelled } = lease;
  return {
    lease: {
      runId,
      who,
      since: new Date(sinceMs).toISOString(),
      expiresAt: new Date(expiresAtMs).toISOString(),
      cancelling: cancelled,
    },
  };
}

/**
 * Asks a run to send no more; it follows what it has sent to its end and answers as usual.
 * @throws ReplayUnavailableError where the ledger fails; it may be cancelled all the same.
 */
export async function cancelReplay(
  runId: string,
  { ledger }: Pick<ReplayPorts, "ledger">,
): Promise<Cancellation> {
  const cancelled = await answerOf("the ledger", ledger.requestCancel(runId));
  return { runId, cancelled, ...(await replayStatus({ ledger })) };
}
