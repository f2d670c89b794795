import type { LedgerTable } from "../lambdas/aws/ledger/ledger-table.ts";
import type { BacklogLocation } from "./backlog-location.ts";
import type { Clients } from "./clients.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** What a verb works with. */
export type Session = {
  readonly clients: Clients;
  readonly terminal: Terminal;
  /** Where errors, progress and questions go. */
  readonly errors: Terminal;
  /** When the command was started: every age, filter and expiry of one answer counts from it. */
  readonly nowMs: number;
  /** Whether the answer is JSON. */
  readonly json: boolean;
};

/** The ledger of a backlog as it stood when the command was started. */
export function ledgerAt(
  { clients, nowMs }: Session,
  { ledgerTable }: BacklogLocation,
): LedgerTable {
  return { client: clients.dynamoDb, table: ledgerTable, nowMs: () => nowMs };
}
