import { GetItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import type { LedgerItem } from "../../../lambdas/core/ledger.ts";
import { keyHash } from "../../../lambdas/core/partition.ts";
import { NOW } from "../letters/letters.ts";
import { dynamoDb, setBacklog } from "../stage.ts";

export type Entry = { ids: readonly string[]; keys: readonly string[]; agoMs: number };

/** A backlog whose ledger answers for one partition: these open items, these entries, newest first;
 *  for one record, this item; and these acts. */
export function setPartition({
  entries = [],
  acts = [],
  record,
  open = [],
  ...backlog
}: Parameters<typeof setBacklog>[0] & {
  entries?: readonly Entry[];
  acts?: readonly ActItem[];
  record?: LedgerItem & { appliedAtMs?: number };
}) {
  setBacklog({ ...backlog, open });
  dynamoDb
    .on(QueryCommand)
    .callsFake(({ IndexName, ExpressionAttributeValues: values }) => {
      if (IndexName !== undefined) return { Items: open.map(stored) };
      if (values[":acts"] !== undefined) return { Items: acts.map(({ act }) => act) };
      const pk = values[":pk"]?.S ?? "";
      if (pk.startsWith("partition#")) return { Items: entries.map(storedEntry) };
      const sk = values[":sk"]?.S ?? "";
      const found = acts.flatMap(({ act, letters }) => [act, letters]);
      return { Items: found.filter((item) => item.pk.S === pk && item.sk.S === sk) };
    })
    .on(GetItemCommand)
    .callsFake(({ Key }) =>
      record !== undefined && Key.pk.S === `record#${record.id}` ? { Item: stored(record) } : {},
    );
}

type ActItem = ReturnType<typeof actItem>;

/** Items of an act on one letter, as the ledger keeps them: the act, and its letters. */
export function actItem(actId: string, startedAtMs: number, letter: object) {
  const text = (value: string) => ({ S: value });
  const act = {
    pk: text("acts"),
    sk: text(`${new Date(startedAtMs).toISOString()}#${actId}`),
    actId: text(actId),
    operation: text("replay"),
    who: text("jo"),
    why: text("mended"),
    state: text("done"),
    startedAtMs: { N: String(startedAtMs) },
  };
  const letters = {
    pk: text(`act#${actId}`),
    sk: text("letters"),
    letters: text(JSON.stringify([letter])),
  };
  return { act, letters };
}

function storedEntry({ ids, keys, agoMs }: Entry) {
  return {
    sk: { S: `offset#${"7".padStart(39, "0")}` },
    ids: { SS: [...ids] },
    keyHashes: { NS: keys.map((key) => String(keyHash(key))) },
    appliedAt: { N: String(NOW - agoMs) },
  };
}

function stored(item: LedgerItem & { appliedAtMs?: number }) {
  return {
    id: { S: item.id },
    key: { S: item.key },
    state: { S: item.state },
    partition: { N: String(item.partition) },
    generation: { N: String(item.generation) },
    attempts: { N: String(item.attempts) },
    enqueuedAt: { N: String(item.enqueuedAtMs) },
    ...(item.failedAtMs === undefined ? {} : { failedAt: { N: String(item.failedAtMs) } }),
    ...(item.offset === undefined ? {} : { offset: { S: item.offset } }),
    ...(item.reason === undefined ? {} : { reason: { S: item.reason } }),
    ...(item.appliedAtMs === undefined ? {} : { appliedAt: { N: String(item.appliedAtMs) } }),
  };
}
