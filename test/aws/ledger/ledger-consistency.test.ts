import { BatchGetItemCommand, DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, expect, it } from "vitest";
import { DynamoLedger } from "../../../lambdas/aws/ledger/ledger.ts";
import type { RecordRef } from "../../../lambdas/core/ledger.ts";

const NOW_MS = 1_700_000_000_000;
const dynamo = mockClient(DynamoDBClient);
const ledger = new DynamoLedger({
  client: new DynamoDBClient({}),
  table: "ledger",
  nowMs: () => NOW_MS,
  memorySeconds: 1000,
});

const record: RecordRef = {
  id: "r1",
  key: "player:1",
  partition: 5,
  offset: "18860000000000000001",
  enqueuedAtMs: NOW_MS,
  generation: 0,
};

beforeEach(() => dynamo.reset());

it.each([
  { what: "with an offset", asked: record },
  { what: "without an offset", asked: { ...record, offset: undefined } },
])(
  "reads the standing of a record $what consistently, so that a redelivery within a second is seen",
  async ({ asked }) => {
    dynamo.on(BatchGetItemCommand).resolves({ Responses: { ledger: [] } });
    dynamo.on(QueryCommand).resolves({ Items: [] });
    await ledger.standings([asked]);
    const [read] = dynamo.commandCalls(BatchGetItemCommand);
    const [query] = dynamo.commandCalls(QueryCommand);
    expect(read?.args[0].input.RequestItems).toMatchObject({ ledger: { ConsistentRead: true } });
    expect(query?.args[0].input).toMatchObject({ ConsistentRead: true });
  },
);
