import { readPause } from "../../lambdas/aws/act-consumer-switch.ts";
import type { LedgerTable } from "../../lambdas/aws/ledger/ledger-table.ts";
import { DynamoReplayLedger } from "../../lambdas/aws/ledger/replay-ledger.ts";
import type { Pause } from "../../lambdas/core/acts/consumer-operations.ts";
import type { RunningLease } from "../../lambdas/core/replay/replay-ports.ts";

export type LedgerLocks = {
  /** Why the consumer was paused. */
  readonly pause: Pause | undefined;
  /** The replay that holds the lease now: no other can start before it ends or gives it up. */
  readonly replay: RunningLease | undefined;
};

/** Who holds the consumer paused, and who replays, as the ledger has it. @throws where DynamoDB fails. */
export async function readLedgerLocks(ledger: LedgerTable): Promise<LedgerLocks> {
  const [pause, replay] = await Promise.all([
    readPause(ledger),
    new DynamoReplayLedger(ledger).currentLease(),
  ]);
  return { pause, replay };
}
