import { type TransactWriteItem, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import type { LedgerItem, RecordRef } from "../../core/ledger.ts";
import type {
  EditMark,
  LetterMarks,
  Withheld,
  WithheldKind,
  WithheldMark,
} from "../../core/letters/withheld.ts";
import { updateUnlessRefused } from "./conditional-update.ts";
import { cancellationOf } from "./ledger-errors.ts";
import type { Attributes } from "./ledger-item.ts";
import { type Key, openKeys, recordKey } from "./ledger-keys.ts";
import type { LedgerTable } from "./ledger-table.ts";
import { listWithheld, WITHHELD_PK } from "./letter-withheld.ts";

export type DynamoLetterMarksOptions = LedgerTable & {
  /** How long a mark is remembered: as long as its record. */
  readonly memorySeconds: number;
};

/** Marks on letters in the ledger: an attribute on the record's item, which leaves the index, and an
 *  item of its own by which all of them can be listed. Both change in one transaction. */
export class DynamoLetterMarks implements LetterMarks {
  readonly #options: DynamoLetterMarksOptions;

  constructor(options: DynamoLetterMarksOptions) {
    this.#options = options;
  }

  withheld(): Promise<readonly Withheld[]> {
    return listWithheld(this.#options);
  }

  withhold(item: LedgerItem, kind: WithheldKind, mark: WithheldMark): Promise<boolean> {
    const { table, nowMs, memorySeconds } = this.#options;
    const expiresAt = { N: String(Math.floor(nowMs() / 1000) + memorySeconds) };
    return this.#transact([
      {
        Update: {
          TableName: table,
          Key: recordKey(item.id),
          UpdateExpression:
            "SET withheld = :kind, expiresAt = :expiresAt REMOVE openPartition, openOffset",
          ConditionExpression:
            "#state = :dead AND generation = :generation AND expiresAt > :now AND (attribute_exists(openPartition) OR withheld = :kind)",
          ExpressionAttributeNames: STATE,
          ExpressionAttributeValues: {
            ":kind": { S: kind },
            ":dead": { S: "dead" },
            ":generation": { N: String(item.generation) },
            ":expiresAt": expiresAt,
            ":now": { N: String(Math.floor(nowMs() / 1000)) },
          },
        },
      },
      { Update: { TableName: table, ...markWrite(item, kind, mark, expiresAt) } },
    ]);
  }

  async release(record: RecordRef, edit?: EditMark): Promise<boolean> {
    const { table } = this.#options;
    const { openPartition, openOffset } = openKeys(record.partition, record.offset);
    const edited = edit === undefined ? {} : editValues(edit);
    const also = Object.keys(edited).map((value) => `, ${value.slice(1)} = ${value}`);
    const released = await this.#transact([
      {
        Update: {
          TableName: table,
          Key: recordKey(record.id),
          UpdateExpression: `SET openPartition = :partition, openOffset = :offset${also.join("")} REMOVE withheld`,
          ConditionExpression: WITHHELD,
          ExpressionAttributeNames: STATE,
          ExpressionAttributeValues: {
            ":dead": { S: "dead" },
            ":partition": openPartition,
            ":offset": openOffset,
            ...edited,
          },
        },
      },
      { Update: { TableName: table, ...endWrite(record.id) } },
    ]);
    // The record went on without us, so that the mark stands for nothing.
    if (!released) await this.#end(record.id);
    return released;
  }

  async forget({ id }: RecordRef): Promise<void> {
    const { table, nowMs } = this.#options;
    const forgotten = await this.#transact([
      {
        Update: {
          TableName: table,
          Key: recordKey(id),
          UpdateExpression: "SET purgedAt = :now REMOVE withheld",
          ConditionExpression: WITHHELD,
          ExpressionAttributeNames: STATE,
          ExpressionAttributeValues: { ":dead": { S: "dead" }, ":now": { N: String(nowMs()) } },
        },
      },
      { Update: { TableName: table, ...endWrite(id) } },
    ]);
    if (!forgotten) await this.#end(id);
  }

  async noteSent(id: string, sentAtMs: number): Promise<void> {
    const { client, table } = this.#options;
    await updateUnlessRefused(client, {
      TableName: table,
      Key: recordKey(id),
      UpdateExpression: "SET letterSentAt = :sentAt",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeValues: { ":sentAt": { N: String(sentAtMs) } },
    });
  }

  async #end(id: string): Promise<void> {
    const { client, table } = this.#options;
    await updateUnlessRefused(client, { TableName: table, ...endWrite(id) });
  }

  /** False where the record's own condition was refused. @throws where the outcome is not known. */
  async #transact(items: TransactWriteItem[]): Promise<boolean> {
    try {
      await this.#options.client.send(new TransactWriteItemsCommand({ TransactItems: items }));
      return true;
    } catch (error) {
      if (cancellationOf(error, 0).kind === "mark") return false;
      throw error;
    }
  }
}

const STATE = { "#state": "state" };

/** By the names of the attributes that they go into. */
function editValues({ digestBefore, digestAfter, reason }: EditMark): Attributes {
  return {
    ":digestBefore": { S: digestBefore },
    ":digestAfter": { S: digestAfter },
    ...(reason !== undefined && { ":reason": { S: reason } }),
  };
}

const WITHHELD =
  "#state = :dead AND attribute_exists(withheld) AND attribute_not_exists(openPartition)";

function markKey(id: string): Key {
  return { pk: { S: WITHHELD_PK }, sk: { S: `record#${id}` } };
}

function endWrite(id: string): {
  readonly Key: Key;
  readonly UpdateExpression: string;
  readonly ExpressionAttributeValues: Attributes;
} {
  // Past its time = absent, and DynamoDB tidies up: the function may change items, not delete them.
  return {
    Key: markKey(id),
    UpdateExpression: "SET expiresAt = :past",
    ExpressionAttributeValues: { ":past": { N: "1" } },
  };
}

const FIELDS = ["id", "key", "kind", "offset", "reason", "who", "why", "actId"] as const;
const NUMBERS = [
  "partition",
  "generation",
  "enqueuedAt",
  "failedAt",
  "letterSentAt",
  "at",
] as const;

function markWrite(
  item: LedgerItem,
  kind: WithheldKind,
  mark: WithheldMark,
  expiresAt: { readonly N: string },
): {
  readonly Key: Key;
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Attributes;
} {
  const { who, why, actId, atMs: at } = mark;
  const { enqueuedAtMs: enqueuedAt, failedAtMs: failedAt, letterSentAtMs: letterSentAt } = item;
  const facts = { ...item, kind, who, why, actId, at, enqueuedAt, failedAt, letterSentAt };
  const names = [...FIELDS, ...NUMBERS];
  const values: Attributes = { ":expiresAt": expiresAt };
  for (const name of FIELDS) {
    const value = facts[name];
    values[`:${name}`] = value === undefined ? { NULL: true } : { S: value };
  }
  for (const name of NUMBERS) {
    const value = facts[name];
    values[`:${name}`] = value === undefined ? { NULL: true } : { N: String(value) };
  }
  return {
    Key: markKey(item.id),
    UpdateExpression: `SET expiresAt = :expiresAt, ${names.map((name) => `#${name} = :${name}`).join(", ")}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: values,
  };
}
