import { paginateQuery, QueryCommand } from "@aws-sdk/client-dynamodb";
import type { Act, ActLetter, ActState } from "../../core/acts/act.ts";
import { startOf } from "../../core/acts/act.ts";
import type { ActLedger } from "../../core/acts/record-act.ts";
import { updateUnlessRefused } from "./conditional-update.ts";
import { type Attributes, hasExpired, number, text } from "./ledger-item.ts";
import type { Key } from "./ledger-keys.ts";
import type { LedgerTable } from "./ledger-table.ts";

/** Acts on DynamoDB: an item each, and one for the letters of each, so that a list stays small. */
export class DynamoActLedger implements ActLedger {
  readonly #ledger: LedgerTable;
  readonly #memorySeconds: number;

  constructor(ledger: LedgerTable & { readonly memorySeconds: number }) {
    this.#ledger = ledger;
    this.#memorySeconds = ledger.memorySeconds;
  }

  begin(act: Act): Promise<void> {
    return this.#put(actKey(act), actValues(act));
  }

  async end(act: Act): Promise<void> {
    if (act.letters.length > 0) {
      await this.#put(lettersKey(act.actId), { letters: { S: JSON.stringify(act.letters) } });
    }
    await this.#put(actKey(act), actValues(act));
  }

  /** The function may set items but not put them; all attributes are named, so it is the same. */
  async #put(key: Key, values: Attributes): Promise<void> {
    const { client, table, nowMs } = this.#ledger;
    const expiresAt = { N: String(Math.ceil(nowMs() / 1000) + this.#memorySeconds) };
    const all = Object.entries({ ...values, expiresAt });
    await updateUnlessRefused(client, {
      TableName: table,
      Key: key,
      UpdateExpression: `SET ${all.map((_, index) => `#a${index} = :a${index}`).join(", ")}`,
      ExpressionAttributeNames: Object.fromEntries(
        all.map(([name], index) => [`#a${index}`, name]),
      ),
      ExpressionAttributeValues: Object.fromEntries(
        all.map(([, value], index) => [`:a${index}`, value]),
      ),
    });
  }
}

/** The newest acts, their letters left out. @throws where DynamoDB fails. */
export async function listActs(
  { client, table, nowMs }: LedgerTable,
  limit: number,
): Promise<readonly Act[]> {
  const acts: Act[] = [];
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      KeyConditionExpression: "pk = :acts",
      ExpressionAttributeValues: { ":acts": { S: ACTS } },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
    },
  );
  for await (const { Items = [] } of pages) {
    acts.push(...Items.filter((item) => !hasExpired(item, nowMs())).map((item) => actOf(item, [])));
    if (acts.length >= limit) break;
  }
  return acts.slice(0, limit);
}

/** One act with its letters; undefined where there is none of this id. @throws where DynamoDB fails. */
export async function readAct(ledger: LedgerTable, actId: string): Promise<Act | undefined> {
  const startedAtMs = startOf(actId);
  if (startedAtMs === undefined) return undefined;
  const [act, letters] = await Promise.all([
    readItem(ledger, actKey({ actId, startedAtMs })),
    readItem(ledger, lettersKey(actId)),
  ]);
  if (act === undefined) return undefined;
  return actOf(act, JSON.parse(text(letters ?? {}, "letters") ?? "[]"));
}

const ACTS = "acts";

function actKey({ actId, startedAtMs }: Pick<Act, "actId" | "startedAtMs">): Key {
  return { pk: { S: ACTS }, sk: { S: `${new Date(startedAtMs).toISOString()}#${actId}` } };
}

function lettersKey(actId: string): Key {
  return { pk: { S: `act#${actId}` }, sk: { S: "letters" } };
}

async function readItem(
  { client, table, nowMs }: LedgerTable,
  { pk, sk }: Key,
): Promise<Attributes | undefined> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: "pk = :pk AND sk = :sk",
      ExpressionAttributeValues: { ":pk": pk, ":sk": sk },
      ConsistentRead: true,
    }),
  );
  return Items.find((item) => !hasExpired(item, nowMs()));
}

const TEXTS = ["actId", "operation", "who", "why", "ticket", "planDigest", "state"] as const;
const NUMBERS = ["startedAtMs", "endsByMs", "endedAtMs", "omitted"] as const;

function actValues(act: Act): Attributes {
  const values: Record<string, Attributes[string]> = {
    counts: { S: JSON.stringify(act.counts) },
    letterCount: { N: String(act.letters.length) },
  };
  for (const name of TEXTS) values[name] = textValue(act[name]);
  for (const name of NUMBERS) values[name] = numberValue(act[name]);
  values["filter"] = textValue(act.filter && JSON.stringify(act.filter));
  values["error"] = textValue(act.error);
  return values;
}

function textValue(value: string | undefined): Attributes[string] {
  return value === undefined ? { NULL: true } : { S: value };
}

function numberValue(value: number | undefined): Attributes[string] {
  return value === undefined ? { NULL: true } : { N: String(value) };
}

function actOf(item: Attributes, letters: readonly ActLetter[]): Act {
  const filter = text(item, "filter");
  return {
    actId: text(item, "actId") ?? "",
    operation: text(item, "operation") ?? "unknown",
    who: text(item, "who"),
    why: text(item, "why"),
    ticket: text(item, "ticket"),
    planDigest: text(item, "planDigest"),
    filter: filter === undefined ? undefined : JSON.parse(filter),
    startedAtMs: number(item, "startedAtMs") ?? 0,
    endsByMs: number(item, "endsByMs") ?? 0,
    endedAtMs: number(item, "endedAtMs"),
    state: (text(item, "state") ?? "failed") as ActState,
    error: text(item, "error"),
    counts: JSON.parse(text(item, "counts") ?? "{}"),
    letters,
    omitted: number(item, "omitted") ?? 0,
  };
}
