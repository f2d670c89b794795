import type { UpdateItemCommandInput } from "@aws-sdk/client-dynamodb";
import type { LedgerItem } from "../../core/ledger.ts";
import type {
  EntryPage,
  Lease,
  ReplayLedger,
  RunningLease,
} from "../../core/replay/replay-ports.ts";
import { readBatchEntries } from "./batch-entries.ts";
import { updateUnlessRefused } from "./conditional-update.ts";
import { type Attributes, number, text } from "./ledger-item.ts";
import { REPLAY_LOCK } from "./ledger-keys.ts";
import { batchGet, readItems } from "./ledger-reads.ts";
import type { LedgerTable } from "./ledger-table.ts";
import { listOpenRecords } from "./open-records.ts";

/** The replay's lease and lists on DynamoDB. */
export class DynamoReplayLedger implements ReplayLedger {
  readonly #ledger: LedgerTable;

  constructor(ledger: LedgerTable) {
    this.#ledger = ledger;
  }

  get name(): string {
    return this.#ledger.table;
  }

  async acquireLease(lease: Lease): Promise<Omit<Lease, "expiresAtMs"> | undefined> {
    const refused = await this.#update(acquisition(lease, this.#ledger.nowMs()));
    if (refused === undefined) return undefined;
    if (refused.item === undefined) {
      throw new Error(
        "Expected the ledger to show the lease that refused this run, got none. Run again",
      );
    }
    const holder = holderOf(refused.item);
    // Our own: an earlier try of this very request was written and its answer lost.
    return holder.runId === lease.runId ? undefined : holder;
  }

  async releaseLease(runId: string): Promise<void> {
    await this.#update({
      UpdateExpression: "SET leaseExpiresAt = :never",
      ConditionExpression: "runId = :runId",
      ExpressionAttributeValues: { ":never": { N: "0" }, ":runId": { S: runId } },
    });
  }

  async currentLease(): Promise<RunningLease | undefined> {
    const { client, table, nowMs } = this.#ledger;
    const [item] = await batchGet(client, table, [REPLAY_LOCK]);
    const expiresAtMs = item === undefined ? 0 : (number(item, "leaseExpiresAt") ?? 0);
    if (item === undefined || expiresAtMs <= nowMs()) return undefined;
    const holder = holderOf(item);
    return { ...holder, expiresAtMs, cancelled: text(item, "cancelledRunId") === holder.runId };
  }

  async requestCancel(runId: string): Promise<boolean> {
    const refused = await this.#update({
      UpdateExpression: "SET cancelledRunId = :runId",
      ConditionExpression: "runId = :runId AND leaseExpiresAt > :now",
      ExpressionAttributeValues: {
        ":runId": { S: runId },
        ":now": { N: String(this.#ledger.nowMs()) },
      },
    });
    return refused === undefined;
  }

  batchEntries(partition: number, upTo: string | undefined, limit: number): Promise<EntryPage> {
    return readBatchEntries(this.#ledger, { partition, upTo, limit });
  }

  deadRecords(partition: number | undefined): Promise<readonly LedgerItem[]> {
    return listOpenRecords(this.#ledger, { state: "dead", partition });
  }

  items(ids: readonly string[]): Promise<ReadonlyMap<string, LedgerItem>> {
    return readItems(this.#ledger, ids);
  }

  #update(
    write: Omit<UpdateItemCommandInput, "TableName" | "Key">,
  ): ReturnType<typeof updateUnlessRefused> {
    const { client, table } = this.#ledger;
    return updateUnlessRefused(client, { TableName: table, Key: REPLAY_LOCK, ...write });
  }
}

/** `leaseExpiresAt` (milliseconds) decides; `expiresAt` (seconds) only lets DynamoDB tidy up. */
function acquisition(
  { runId, who, sinceMs, expiresAtMs }: Lease,
  nowMs: number,
): Omit<UpdateItemCommandInput, "TableName" | "Key"> {
  return {
    UpdateExpression:
      "SET runId = :runId, who = :who, since = :since, leaseExpiresAt = :leaseExpiresAt, expiresAt = :expiresAt",
    ConditionExpression: "attribute_not_exists(pk) OR leaseExpiresAt <= :now",
    ExpressionAttributeValues: {
      ":runId": { S: runId },
      ":who": { S: who },
      ":since": { N: String(sinceMs) },
      ":leaseExpiresAt": { N: String(expiresAtMs) },
      ":expiresAt": { N: String(Math.ceil(expiresAtMs / 1000)) },
      ":now": { N: String(nowMs) },
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
}

function holderOf(attributes: Attributes): Omit<Lease, "expiresAtMs"> {
  return {
    runId: text(attributes, "runId") ?? "unknown",
    who: text(attributes, "who") ?? "unknown",
    sinceMs: number(attributes, "since") ?? 0,
  };
}
