import {
  BatchGetItemCommand,
  DynamoDBClient,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import {
  ChangeMessageVisibilityBatchCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { mockClient } from "aws-sdk-client-mock";
import * as fc from "fast-check";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { deliveryOf } from "../../lambdas/aws/sqs-event.ts";
import { toEnvironment } from "../../lambdas/core/environment.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";
import { readArrival } from "../../lambdas/core/wire/arrival.ts";
import { sqsIdOf } from "../../lambdas/core/wire/identity.ts";
import { brokenRecord, type EventRecord, hostileRecord } from "./hostile-records.ts";

const game = vi.hoisted(() => ({ handle: vi.fn() }));
vi.mock("#handler", () => game);

const RUNS = 400;
const dynamo = mockClient(DynamoDBClient);
const sqs = mockClient(SQSClient);
const settings = settingsOf();
const deployment = {
  settings,
  sourceUrl: "source",
  letterQueueUrl: "letters",
  ledgerTable: "ledger",
};
for (const [name, value] of Object.entries(toEnvironment(deployment))) vi.stubEnv(name, value);
// Powertools then writes through the global console, which is silenced here.
vi.stubEnv("POWERTOOLS_DEV", "true");
const silenced = (["debug", "info", "warn", "error", "log"] as const).map((level) =>
  vi.spyOn(console, level).mockImplementation(() => {}),
);
// The time of the events' receive, else every start is a late one.
const NOW_MS = 1_700_000_000_000;
vi.spyOn(Date, "now").mockReturnValue(NOW_MS);
const { handler } = await import("../../lambdas/consumer.ts");

afterAll(() => {
  for (const spy of silenced) spy.mockRestore();
});

const context = {
  awsRequestId: "request",
  functionName: "consumer",
  getRemainingTimeInMillis: () => 60_000,
} as Context;

/** Ids that the game's handler accepted, and groups of the letters that were sent: one for each id. */
const handled = new Set<string>();
const letters = new Set<string | undefined>();

beforeEach(() => {
  game.handle.mockImplementation(async ({ id }: { id: string }) => {
    if (id === "r-2") throw new Error("no");
    handled.add(id);
  });
  dynamo.on(UpdateItemCommand).resolves({});
  dynamo.on(TransactWriteItemsCommand).resolves({});
  dynamo.on(BatchGetItemCommand).resolves({ Responses: { ledger: [] } });
  dynamo.on(QueryCommand).resolves({ Items: [] });
  sqs.on(ChangeMessageVisibilityBatchCommand).resolves({});
  sqs.on(SendMessageCommand).callsFake(async ({ MessageBody, MessageGroupId }) => {
    if (typeof MessageBody !== "string") throw new Error("MissingParameter: MessageBody");
    letters.add(MessageGroupId);
    return {};
  });
});

/** What the function answers; undefined where the invocation failed, so that SQS keeps the batch. */
async function answerTo(event: unknown): Promise<SQSBatchResponse | undefined> {
  handled.clear();
  letters.clear();
  return handler(event as SQSEvent, context).catch((error: unknown) => {
    expect(error).toBeInstanceOf(Error);
    return undefined;
  });
}

/** Lambda keeps the whole batch where an identifier is none of the batch's. */
function acknowledgedBy(
  { batchItemFailures }: SQSBatchResponse,
  records: readonly (EventRecord | null)[],
): readonly (EventRecord | null)[] {
  const ids = new Set<unknown>(records.map((record) => record?.messageId));
  const failed = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  if (failed.some((id) => typeof id !== "string" || id === "" || !ids.has(id))) return [];
  return records.filter((record) => !new Set<unknown>(failed).has(record?.messageId));
}

function idOf(record: EventRecord | null): string {
  return readArrival(deliveryOf(record as SQSRecord, NOW_MS), settings.partitions).identity.id;
}

/** @returns how many records were acknowledged. */
async function expectNothingLost(records: readonly (EventRecord | null)[]): Promise<number> {
  const answer = await answerTo({ Records: records });
  if (answer === undefined) return 0;
  const acknowledged = acknowledgedBy(answer, records);
  for (const record of acknowledged) {
    const id = idOf(record);
    expect(handled.has(id) || letters.has(sqsIdOf(id)), JSON.stringify(record)).toBe(true);
  }
  return acknowledged.length;
}

test.each([
  { event: undefined, why: "nothing" },
  { event: null, why: "null" },
  { event: "Records", why: "a text" },
  { event: {}, why: "an object without records" },
  { event: { Records: null }, why: "null for records" },
  { event: { Records: "[]" }, why: "a text for records" },
  { event: { Records: { length: 1 } }, why: "an object for records" },
  { event: { records: [] }, why: "records in lower case" },
  { event: { Records: [null] }, why: "a record that is null" },
  { event: { Records: [undefined, 7] }, why: "records that are none" },
])("fails the invocation for $why instead of acknowledging it", async ({ event }) => {
  expect(await answerTo(event)).toBeUndefined();
});

test("leaves a batch with SQS whose record has no MessageId, body or attributes", async () => {
  const answer = await answerTo({ Records: [{}] });
  expect(answer === undefined || acknowledgedBy(answer, [{}]).length === 0).toBe(true);
  expect(answer).not.toEqual({ batchItemFailures: [] });
});

test("fails the invocation for anything that is no event", async () => {
  const event = fc.jsonValue().filter((value) => !Array.isArray(Object(value)["Records"]));
  await fc.assert(
    fc.asyncProperty(event, async (value) => {
      expect(await answerTo(value)).toBeUndefined();
    }),
    { numRuns: RUNS },
  );
}, 30_000);

test("acknowledges no record of any shape that was neither handled nor dead-lettered", async () => {
  let acknowledged = 0;
  const record = fc.oneof(hostileRecord(settings.partitions), brokenRecord(settings.partitions));
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 10 }), async (records) => {
      acknowledged += await expectNothingLost(records);
    }),
    { numRuns: RUNS },
  );
  expect(acknowledged).toBeGreaterThan(0);
}, 30_000);
