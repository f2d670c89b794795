import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { PoisonRecordError } from "../../lambdas/core/handler.ts";
import type { BacklogRecord } from "../../lambdas/core/record.ts";

vi.stubEnv("WALLET_TABLE", "wallets");
const dynamo = mockClient(DynamoDBClient);
const { handle } = await import("../../lambdas/handler.ts");

const context = { attempt: 1, signal: new AbortController().signal };

const record = (payload: unknown): BacklogRecord => ({
  id: "e1",
  key: "player:1",
  payload: typeof payload === "string" ? payload : JSON.stringify(payload),
  offset: "1",
  partition: 5,
  enqueuedAtMs: 0,
  attempts: 0,
  generation: 0,
  attributes: {},
});

beforeEach(() => {
  dynamo.reset();
  dynamo.on(GetItemCommand).resolves({ Item: { price: { N: "12" } } });
});

describe("the example's wallet", () => {
  it.each([
    { event: { type: "credit", amount: 5 }, coins: "5", guarded: false },
    { event: { type: "debit", amount: 5 }, coins: "-5", guarded: true },
    { event: { type: "purchase", item: "shield" }, coins: "-12", guarded: true },
  ])("turns a $event.type into a balance and a statement", async ({ event, coins, guarded }) => {
    const result = await handle(record(event), context);
    const [balance, statement] = result?.effects ?? [];
    expect(balance?.Update).toMatchObject({
      TableName: "wallets",
      Key: { pk: { S: "wallet#player:1" }, sk: { S: "balance" } },
      ExpressionAttributeValues: { ":coins": { N: coins } },
    });
    expect(balance?.Update?.ConditionExpression !== undefined).toBe(guarded);
    expect(statement?.Update?.Key).toMatchObject({ sk: { S: "entry#e1" } });
  });

  it("fails, to be tried again, on an item that the catalogue does not have", async () => {
    dynamo.on(GetItemCommand).resolves({});
    const attempt = handle(record({ type: "purchase", item: "phoenix" }), context);
    await expect(attempt).rejects.toThrow("catalogue has no item phoenix");
    await expect(attempt).rejects.not.toBeInstanceOf(PoisonRecordError);
  });

  it.each(["{", '{"type":"gift"}', '{"type":"credit","amount":-1}', "null"])(
    "calls %s poison, for no repetition can mend it",
    async (payload) => {
      await expect(handle(record(payload), context)).rejects.toBeInstanceOf(PoisonRecordError);
    },
  );
});
