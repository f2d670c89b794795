import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import * as v from "valibot";
import type { Effect, Handler } from "./aws/ledger/effects.ts";
import { PoisonRecordError } from "./core/handler.ts";

// The example game: a wallet of coins. This is the one file that a game rewrites.

const Coins = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const Event = v.variant("type", [
  v.object({ type: v.literal("credit"), amount: Coins }),
  v.object({ type: v.literal("debit"), amount: Coins }),
  v.object({ type: v.literal("purchase"), item: v.string() }),
]);

const dynamo = new DynamoDBClient();
const TableName = process.env["WALLET_TABLE"];

/** Applies one event to the wallet of the record's key. */
export const handle: Handler = async (record) => {
  const event = parse(record.payload);
  const coins = await coinsOf(event);
  const balance: Effect = {
    Update: {
      TableName,
      Key: { pk: { S: `wallet#${record.key}` }, sk: { S: "balance" } },
      UpdateExpression: "ADD coins :coins",
      ExpressionAttributeValues: { ":coins": { N: String(coins) }, ...spending(coins) },
      // A wallet never falls below zero: the attempt fails and is repeated, in order.
      ...(coins < 0 ? { ConditionExpression: "coins >= :needed" } : {}),
    },
  };
  const statement: Effect = {
    Update: {
      TableName,
      Key: { pk: { S: `wallet#${record.key}` }, sk: { S: `entry#${record.id}` } },
      // Counted, so that an event applied twice would show.
      UpdateExpression: "ADD applied :one SET coins = :coins, #type = :type, handledAtMs = :now",
      ExpressionAttributeNames: { "#type": "type" },
      ExpressionAttributeValues: {
        ":one": { N: "1" },
        ":coins": { N: String(coins) },
        ":type": { S: event.type },
        ":now": { N: String(Date.now()) },
      },
    },
  };
  return { effects: [balance, statement] };
};

function parse(payload: string | Uint8Array): v.InferOutput<typeof Event> {
  try {
    return v.parse(Event, JSON.parse(String(payload)));
  } catch (cause) {
    // No repetition can mend the text of an event.
    throw new PoisonRecordError("the event is no credit, debit or purchase", { cause });
  }
}

async function coinsOf(event: v.InferOutput<typeof Event>): Promise<number> {
  switch (event.type) {
    case "credit":
      return event.amount;
    case "debit":
      return -event.amount;
    case "purchase":
      return -(await priceOf(event.item));
    default:
      return event satisfies never;
  }
}

async function priceOf(item: string): Promise<number> {
  const Key = { pk: { S: "catalogue" }, sk: { S: `item#${item}` } };
  const { Item } = await dynamo.send(new GetItemCommand({ TableName, Key }));
  if (Item?.["price"]?.N === undefined) throw new Error(`catalogue has no item ${item}`);
  return Number(Item["price"].N);
}

function spending(coins: number): Record<string, { N: string }> {
  return coins < 0 ? { ":needed": { N: String(-coins) } } : {};
}
