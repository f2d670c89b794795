import { serveJson } from "../http/aws-json.ts";
import type { ListenOptions, LocalServer } from "../http/server.ts";
import { continuousBackupOperations } from "./continuous-backups.ts";
import { countCalls } from "./count-calls.ts";
import { openStore } from "./dynalite.ts";
import { expireItems } from "./expire-items.ts";
import { itemOperations } from "./item-operations.ts";
import { repeat } from "./repeat.ts";
import { tableOperations } from "./table-operations.ts";
import { timeToLiveOperations } from "./time-to-live.ts";
import { transactionOperations } from "./transaction-operations.ts";

export type DynamoDbOptions = ListenOptions & {
  /** Folder that keeps the tables, made if absent, used by one server at a time.
   *  @default in memory */
  readonly path?: string;
  /** Pause between two looks for items whose time to live is over. @default 30,000 */
  readonly expiryPauseMs?: number;
  /** Epoch milliseconds. @default Date.now */
  readonly now?: () => number;
};

/** The embedded DynamoDB. */
export type DynamoDb = LocalServer & {
  /** Requests so far by operation name, such as `UpdateItem`, failed ones included. */
  calls(): Readonly<Record<string, number>>;
};

/**
 * Starts an embedded DynamoDB on loopback: dynalite's tables, items and expressions, with
 * transactions, time to live and deletion protection added.
 */
export async function startDynamoDb(options: DynamoDbOptions = {}): Promise<DynamoDb> {
  const { path, expiryPauseMs = 30_000, now = Date.now } = options;
  const store = await openStore(path);
  const { operations, calls } = countCalls({
    ...itemOperations(store),
    ...tableOperations(store),
    ...transactionOperations(store, now),
    ...timeToLiveOperations(store),
    ...continuousBackupOperations(store),
  });
  const server = await serveJson({ version: "1.0", operations }, options).catch(async (error) => {
    await store.db.close();
    throw error;
  });
  const stopExpiry = repeat(() => expireItems(store, now()), expiryPauseMs);
  return {
    ...server,
    calls,
    async close(): Promise<void> {
      await Promise.all([server.close(), stopExpiry()]);
      await store.db.close();
    },
  };
}
