import {
  type AttributeValue,
  DynamoDBClient,
  type TransactWriteItem,
} from "@aws-sdk/client-dynamodb";
import { expect, it } from "vitest";
import { DynamoLedger } from "../../../lambdas/aws/ledger/ledger.ts";

const ledger = new DynamoLedger({
  client: new DynamoDBClient({ region: "us-east-1" }),
  table: "ledger",
  nowMs: () => 0,
  memorySeconds: 1000,
});

const record = {
  id: "r1",
  key: "player:1",
  partition: 5,
  offset: "1",
  enqueuedAtMs: 0,
  generation: 0,
};

const ofItself: { M: Record<string, AttributeValue> } = { M: {} };
ofItself.M["again"] = ofItself as AttributeValue;

const deep = (): AttributeValue => {
  let value: AttributeValue = { S: "" };
  for (let depth = 0; depth < 100_000; depth += 1) value = { L: [value] };
  return value;
};

it.each([
  { what: "that hold themselves", value: ofItself as AttributeValue },
  { what: "deeper than the stack", value: deep() },
])("effects $what are a failed attempt: no request can hold them", async ({ value }) => {
  const effect: TransactWriteItem = { Put: { TableName: "wallets", Item: { gold: value } } };
  expect(await ledger.applyWithEffects(record, [effect])).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining("cannot be sent"),
  });
});
