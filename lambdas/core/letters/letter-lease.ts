import type { ActRun } from "../acts/record-act.ts";
import { LEASE_MARGIN_MS, ReplayHeldError } from "../replay/replay-lease.ts";
import { answerOf } from "../replay/replay-unavailable.ts";
import type { LetterPorts } from "./letter-ports.ts";

/**
 * Acts under the replay's lease: a replay has read which letters are withheld when it began, and two
 * readers of one queue hide letters from each other.
 * @throws ReplayHeldError where a replay or another act has it; nothing was touched.
 */
export async function underLease<T>(
  who: string | undefined,
  { runId, startedAtMs, deadlineMs }: ActRun,
  { ledger }: Pick<LetterPorts, "ledger">,
  act: () => Promise<T>,
): Promise<T> {
  const lease = {
    runId,
    who: who ?? "someone who gave no name",
    sinceMs: startedAtMs,
    expiresAtMs: deadlineMs + LEASE_MARGIN_MS,
  };
  try {
    const holder = await answerOf("the ledger", ledger.acquireLease(lease));
    if (holder !== undefined) {
      throw new ReplayHeldError(
        `A replay or another act on letters is running: ${holder.runId}, requested by ${holder.who}, since ${new Date(holder.sinceMs).toISOString()}. Nothing was touched; run again once it has ended`,
      );
    }
    return await act();
  } finally {
    // Also where taking it failed: the write may have happened. One that stays ends by itself.
    await ledger.releaseLease(runId).catch(() => undefined);
  }
}
