import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** Where the ledger stands. */
export type LedgerTable = {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly nowMs: () => number;
};
