import { type TransactWriteItem, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import type {
  Applied,
  Attempt,
  Counted,
  Death,
  EntryRecord,
  Failure,
  Ledger,
  RecordRef,
  Standing,
} from "../../core/ledger.ts";
import { updateUnlessRefused } from "./conditional-update.ts";
import { cancellationOf } from "./ledger-errors.ts";
import { readLedgerItem } from "./ledger-item.ts";
import { readStandings } from "./ledger-reads.ts";
import type { LedgerTable } from "./ledger-table.ts";
import {
  appliedAnywayWrite,
  appliedWrite,
  countWrite,
  deadWrite,
  effectsMark,
  entryWrite,
  type Moment,
  noteWrite,
  uncountWrite,
} from "./ledger-writes.ts";

export type DynamoLedgerOptions = LedgerTable & {
  /** How long an item is remembered. */
  readonly memorySeconds: number;
};

/** The ledger on DynamoDB. Every method throws where the outcome of a request is not known. */
export class DynamoLedger implements Ledger<TransactWriteItem> {
  readonly #options: DynamoLedgerOptions;

  constructor(options: DynamoLedgerOptions) {
    this.#options = options;
  }

  standings(records: readonly RecordRef[]): Promise<readonly Standing[]> {
    return readStandings(this.#options, records);
  }

  async count(record: RecordRef, attempt: Attempt, failure?: Failure): Promise<Counted> {
    const refused = await this.#update(countWrite(record, attempt, failure, this.#moment()));
    if (refused === undefined) return { kind: "counted" };
    const item = refused.item && readLedgerItem(refused.item, this.#options.nowMs());
    if (item === undefined) {
      // The condition allows an absent item: the answer contradicts itself, so nothing is known.
      throw new Error(
        `Expected the ledger to show the item of record ${record.id} that refused its count, got none. It is delivered again`,
      );
    }
    return { kind: "refused", item };
  }

  async uncount(record: RecordRef, attemptId: string): Promise<void> {
    await this.#update(uncountWrite(record, attemptId));
  }

  async noteFailure(
    record: RecordRef,
    { attemptId, ...failure }: Failure & { readonly attemptId: string },
  ): Promise<void> {
    await this.#update(noteWrite(record, attemptId, failure));
  }

  async markDead(record: RecordRef, death: Death): Promise<void> {
    await this.#update(deadWrite(record, death, this.#moment()));
  }

  async markApplied(record: RecordRef, { onlyExisting } = { onlyExisting: false }): Promise<void> {
    const refused = await this.#update(appliedWrite(record, this.#moment(), onlyExisting));
    if (refused?.item === undefined) return;
    const item = readLedgerItem(refused.item, this.#options.nowMs());
    if (item !== undefined && item.state !== "applied") {
      await this.#update(appliedAnywayWrite(record, this.#moment()));
    }
  }

  async addEntry(partition: number, records: readonly EntryRecord[]): Promise<void> {
    await this.#update(entryWrite(partition, records, this.#moment()));
  }

  async applyWithEffects(
    record: RecordRef,
    effects: readonly TransactWriteItem[],
  ): Promise<Applied> {
    const own = effects.findIndex((effect) => this.#isOwnTable(tableOf(effect)));
    if (own >= 0) {
      return {
        kind: "forbidden",
        reason: `effect ${own + 1} writes to the ledger's own table; write to the game's tables only`,
      };
    }
    return this.#transact(record, effects, false);
  }

  async #transact(
    record: RecordRef,
    effects: readonly TransactWriteItem[],
    newer: boolean,
  ): Promise<Applied> {
    const { client, table, nowMs } = this.#options;
    const Update = { TableName: table, ...effectsMark(record, this.#moment(), newer) };
    try {
      await client.send(new TransactWriteItemsCommand({ TransactItems: [{ Update }, ...effects] }));
      return { kind: "applied" };
    } catch (error) {
      const cancellation = cancellationOf(error, 0);
      if (cancellation.kind === "unknown") throw error;
      if (cancellation.kind === "effects") return { kind: "refused", reason: cancellation.reason };
      const item = cancellation.item && readLedgerItem(cancellation.item, nowMs());
      if (item?.state === "applied") return { kind: "already" };
      // Refused only by its generation: a newer one is known, and the older may still be applied.
      if (item !== undefined && !newer) return this.#transact(record, effects, true);
      throw error;
    }
  }

  #update(write: ReturnType<typeof entryWrite>): ReturnType<typeof updateUnlessRefused> {
    const { client, table } = this.#options;
    return updateUnlessRefused(client, { TableName: table, ...write });
  }

  #moment(): Moment {
    const { nowMs, memorySeconds } = this.#options;
    return { nowMs: nowMs(), memorySeconds };
  }

  /** A table may be named by its ARN, too. */
  #isOwnTable(name: string | undefined): boolean {
    const { table } = this.#options;
    return name === table || name?.endsWith(`:table/${table}`) === true;
  }
}

function tableOf(effect: TransactWriteItem): string | undefined {
  const { Put, Update, Delete, ConditionCheck } = effect;
  return (Put ?? Update ?? Delete ?? ConditionCheck)?.TableName;
}
