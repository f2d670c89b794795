import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DynamoLedger } from "../../lambdas/aws/ledger/ledger.ts";
import { DynamoReplayLedger } from "../../lambdas/aws/ledger/replay-ledger.ts";
import { SqsLetterQueue, SqsReplaySource } from "../../lambdas/aws/letter-queue.ts";
import { sendMessage } from "../../lambdas/aws/send-outcome.ts";
import { systemClock } from "../../lambdas/aws/system-clock.ts";
import { replay } from "../../lambdas/core/replay/replay.ts";
import { parseReplayRequest } from "../../lambdas/core/replay/replay-request.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";
import { readArrival } from "../../lambdas/core/wire/arrival.ts";
import { encodeKey } from "../../lambdas/core/wire/wire.ts";
import { type DynamoDb, startDynamoDb } from "../../local/dynamodb/server.ts";
import { type Sqs, startSqs } from "../../local/sqs/server.ts";
import { KEYS } from "../core/drain/drain-stage.ts";
import { createLedgerTable } from "../embedded/create-ledger-table.ts";

const LETTERS = 25;
const PARTITION = 5;
const settings = settingsOf({ partitions: KEYS.length, replayTimeoutSeconds: 20 });

let servers: { readonly sqs: Sqs; readonly dynamo: DynamoDb };
let client: SQSClient;
let table: {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly nowMs: () => number;
};
let sourceUrl: string;
let letterQueueUrl: string;

beforeAll(async () => {
  servers = { sqs: await startSqs(), dynamo: await startDynamoDb() };
  client = new SQSClient({ endpoint: servers.sqs.url });
  const dynamo = new DynamoDBClient({ endpoint: servers.dynamo.url });
  table = { client: dynamo, table: "ledger", nowMs: systemClock.nowMs };
  letterQueueUrl = await createQueue("letters.fifo", {});
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: letterQueueUrl, AttributeNames: ["QueueArn"] }),
  );
  sourceUrl = await createQueue("source.fifo", {
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: Attributes?.QueueArn,
      maxReceiveCount: 1,
    }),
  });
  await createLedgerTable(dynamo, "ledger");
});

afterAll(async () => {
  client.destroy();
  table.client.destroy();
  await Promise.all([servers.sqs.close(), servers.dynamo.close()]);
});

it("replays one partition's 25 letters that SQS moved, of which ten hide the rest", async () => {
  await publishAndMove();
  const applied = applyWhatComes();
  const result = await run({});
  expect(result).toMatchObject({
    examined: LETTERS,
    replayed: LETTERS,
    errors: [],
    failed: [],
    pending: 0,
    truncated: false,
  });
  expect(await applied).toEqual(Array.from({ length: LETTERS }, (_, n) => `n${n}`));
  await expect(lettersLeft()).resolves.toMatchObject({ visible: 0, inFlight: 0 });
  await expect(run({})).resolves.toMatchObject({ examined: 0, replayed: 0, truncated: false });
}, 30_000);

function run(event: unknown) {
  const ports = {
    letters: new SqsLetterQueue({ client, queueUrl: letterQueueUrl }),
    source: new SqsReplaySource({ client, queueUrl: sourceUrl }),
    records: ledger(),
    ledger: new DynamoReplayLedger(table),
    clock: systemClock,
    settings,
  };
  const deadlineMs = systemClock.nowMs() + 20_000;
  return replay(
    parseReplayRequest(event, settings),
    { runId: crypto.randomUUID(), deadlineMs },
    ports,
  );
}

function ledger(): DynamoLedger {
  return new DynamoLedger({ ...table, memorySeconds: settings.ledgerMemorySeconds });
}

function lettersLeft() {
  return new SqsLetterQueue({ client, queueUrl: letterQueueUrl }).size();
}

/** Publishes one group, lets every message use up its one receive, and SQS move it at the next. */
async function publishAndMove(): Promise<void> {
  for (let n = 0; n < LETTERS; n += 1) {
    await sendMessage(client, sourceUrl, {
      body: `payload ${n}`,
      attributes: {
        id: { dataType: "String", stringValue: `n${n}` },
        enqueuedAt: { dataType: "Number", stringValue: String(1_700_000_000_000 + n) },
        ...encodeKey(KEYS[PARTITION] ?? ""),
      },
      group: String(PARTITION),
      deduplicationId: `n${n}`,
    });
  }
  for (let receives = 0; (await lettersLeft()).visible < LETTERS; receives += 1) {
    expect(receives).toBeLessThan(3 * LETTERS);
    await client.send(
      new ReceiveMessageCommand({
        QueueUrl: sourceUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 0,
      }),
    );
  }
}

/** A consumer that applies every replay; resolves to the ids in the order in which they came. */
async function applyWhatComes(): Promise<readonly string[]> {
  const source = new SqsLetterQueue({ client, queueUrl: sourceUrl });
  const ids: string[] = [];
  for (let receives = 0; ids.length < LETTERS; receives += 1) {
    expect(receives).toBeLessThan(3 * LETTERS);
    for (const delivery of await source.receive(30)) {
      const { identity, replayed } = readArrival(delivery, settings.partitions);
      expect({ replayed, generation: identity.generation, offset: identity.offset }).toEqual({
        replayed: true,
        generation: 1,
        offset: undefined,
      });
      await ledger().markApplied(identity);
      await source.remove(delivery);
      ids.push(identity.id);
    }
  }
  return ids;
}

async function createQueue(name: string, attributes: Record<string, string>): Promise<string> {
  const { QueueUrl = "" } = await client.send(
    new CreateQueueCommand({
      QueueName: name,
      Attributes: {
        FifoQueue: "true",
        DeduplicationScope: "messageGroup",
        FifoThroughputLimit: "perMessageGroupId",
        ...attributes,
      },
    }),
  );
  return QueueUrl;
}
