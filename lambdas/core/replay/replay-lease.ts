import { reasonOf } from "../dead-letter.ts";
import type { ReplayPorts } from "./replay-ports.ts";
import type { ReplayRequest } from "./replay-request.ts";
import type { ReplayError } from "./replay-result.ts";
import { answerOf } from "./replay-unavailable.ts";

/** Another run holds the lease; nothing was touched. */
export class ReplayHeldError extends Error {
  override readonly name = "ReplayHeldError";
}

/** The lease outlives the function's timeout by this, for clocks that differ and late last writes. */
export const LEASE_MARGIN_MS = 60_000;

/**
 * Takes the one lease that a run needs, so that operators do not work against each other. No promise
 * rests on it: it may be lost.
 * @throws ReplayHeldError naming who holds it and since when.
 * @throws ReplayUnavailableError where the ledger fails; it may be taken all the same.
 */
export async function takeLease(
  { requestedBy }: ReplayRequest,
  runId: string,
  { ledger, clock, settings }: ReplayPorts,
): Promise<void> {
  const sinceMs = clock.nowMs();
  const lastsMs = settings.replayTimeoutSeconds * 1000 + LEASE_MARGIN_MS;
  const who = requestedBy ?? "someone who gave no name";
  const lease = { runId, who, sinceMs, expiresAtMs: sinceMs + lastsMs };
  const holder = await answerOf("the ledger", ledger.acquireLease(lease));
  if (holder === undefined) return;
  throw new ReplayHeldError(
    `Another replay is running: ${holder.runId}, requested by ${holder.who}, since ${new Date(holder.sinceMs).toISOString()}. Nothing was touched. It ends within ${lastsMs / 1000} seconds of that time; run again then`,
  );
}

/** @returns what an operator should know where it failed. */
export async function releaseLease(
  runId: string,
  { ledger }: ReplayPorts,
): Promise<readonly ReplayError[]> {
  try {
    await ledger.releaseLease(runId);
    return [];
  } catch (error) {
    return [
      {
        id: runId,
        error: `the lease of this run could not be released (${reasonOf(error)}); it ends by itself`,
      },
    ];
  }
}
