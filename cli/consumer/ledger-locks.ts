import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { readPause } from "../../lambdas/aws/act-consumer-switch.ts";
import { number, text } from "../../lambdas/aws/ledger-item.ts";
import { REPLAY_LOCK } from "../../lambdas/aws/ledger-keys.ts";
import type { LedgerTable } from "../../lambdas/aws/ledger-reads.ts";
import type { Pause } from "../../lambdas/core/acts/consumer-operations.ts";

/** The replay that holds the lease now. */
export type RunningReplay = {
  readonly runId: string;
  readonly who: string | undefined;
  readonly sinceMs: number | undefined;
  /** No other run can start before, unless this one gives it up. */
  readonly leaseEndsMs: number;
};

export type LedgerLocks = {
  /** Why the consumer was paused. */
  readonly pause: Pause | undefined;
  readonly replay: RunningReplay | undefined;
};

/** Who holds the consumer paused, and who replays, as the ledger has it. @throws where DynamoDB fails. */
export async function readLedgerLocks(ledger: LedgerTable): Promise<LedgerLocks> {
  const [pause, replay] = await Promise.all([readPause(ledger), readRunningReplay(ledger)]);
  return { pause, replay };
}

/** An ended run leaves its item with a lease that is over. */
async function readRunningReplay({
  client,
  table,
  nowMs,
}: LedgerTable): Promise<RunningReplay | undefined> {
  const { Item = {} } = await client.send(
    new GetItemCommand({ TableName: table, Key: { ...REPLAY_LOCK }, ConsistentRead: true }),
  );
  const leaseEndsMs = number(Item, "leaseExpiresAt") ?? 0;
  if (leaseEndsMs <= nowMs()) return undefined;
  return {
    runId: text(Item, "runId") ?? "unknown",
    who: text(Item, "who"),
    sinceMs: number(Item, "since"),
    leaseEndsMs,
  };
}
