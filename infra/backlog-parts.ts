import { toEnvironment } from "../lambdas/core/environment.ts";
import type { Settings } from "../lambdas/core/settings.ts";
import type { LedgerTable } from "./ledger-table.ts";
import type { Queues } from "./queues.ts";

/** What every function of one backlog works on. */
export type BacklogParts = {
  readonly settings: Settings;
  readonly queues: Queues;
  readonly ledger: LedgerTable;
};

/** Environment variables that tell a function where its backlog is. */
export function environmentOf({ settings, queues, ledger }: BacklogParts): Record<string, string> {
  return toEnvironment({
    settings,
    sourceUrl: queues.source.queueUrl,
    letterQueueUrl: queues.letters.queueUrl,
    ledgerTable: ledger.tableName,
  });
}
