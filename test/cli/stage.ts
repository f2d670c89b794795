import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  GetMetricDataCommand,
} from "@aws-sdk/client-cloudwatch";
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { SSMClient } from "@aws-sdk/client-ssm";
import { mockClient } from "aws-sdk-client-mock";
import { openClients } from "../../cli/clients.ts";
import { runCommand } from "../../cli/program.ts";
import { WITHHELD_PK } from "../../lambdas/aws/ledger/letter-withheld.ts";
import type { LedgerItem } from "../../lambdas/core/ledger.ts";
import { DAY, NOW } from "./letters/letters.ts";
import { OPERATIONS, PUBLISHING, setParameters } from "./parameters.ts";

export const ssm = mockClient(SSMClient);
export const sqs = mockClient(SQSClient);
export const dynamoDb = mockClient(DynamoDBClient);
export const cloudWatch = mockClient(CloudWatchClient);

/** A backlog on mocked clients: how many messages each queue holds, and the ledger's open items. */
export function setBacklog({
  waiting = 0,
  held = 0,
  open = [],
  discarded = [],
  sourceAgeSeconds,
}: {
  readonly waiting?: number;
  readonly held?: number;
  readonly open?: readonly LedgerItem[];
  readonly discarded?: readonly LedgerItem[];
  readonly sourceAgeSeconds?: number;
}) {
  for (const mock of [ssm, sqs, dynamoDb, cloudWatch]) mock.reset();
  setParameters(ssm, {
    "/backlogorder/grants": PUBLISHING,
    "/backlogorder/grants/operations": OPERATIONS,
  });
  sqs
    .on(GetQueueAttributesCommand, { QueueUrl: OPERATIONS.sourceUrl })
    .resolves(attributesOf(waiting))
    .on(GetQueueAttributesCommand, { QueueUrl: OPERATIONS.letterQueueUrl })
    .resolves(attributesOf(held));
  const items = open.map(storedItem);
  dynamoDb
    .on(ScanCommand)
    .resolves({ Items: items })
    .on(QueryCommand)
    .callsFake(({ ExpressionAttributeValues: values }) => ({
      Items: values[":pk"]?.S === WITHHELD_PK ? discarded.map(markOf) : [],
    }))
    .on(BatchGetItemCommand)
    .callsFake(({ RequestItems }) => {
      const { Keys } = RequestItems[OPERATIONS.ledgerTable];
      const records = [...items, ...discarded.map(withheldItem)];
      const found = records.filter(({ id }) =>
        Keys.some(({ pk }: StoredKey) => pk.S === `record#${id.S}`),
      );
      return { Responses: { [OPERATIONS.ledgerTable]: found } };
    })
    .on(GetItemCommand)
    .callsFake(({ Key }) => ({ Item: items.find(({ id }) => Key.pk.S === `record#${id.S}`) }));
  cloudWatch
    .on(GetMetricDataCommand)
    .resolves({
      MetricDataResults:
        sourceAgeSeconds === undefined ? [] : [{ Id: "age0", Values: [sourceAgeSeconds] }],
    })
    .on(DescribeAlarmsCommand)
    .resolves({ CompositeAlarms: [] });
}

/** Runs one command line at NOW and keeps what it wrote. */
export async function run(...words: readonly string[]) {
  const out: string[] = [];
  const errors: string[] = [];
  const exitCode = await runCommand(words, {
    clients: openClients(),
    terminal: linesOf(out),
    errors: linesOf(errors),
    nowMs: NOW,
  });
  return { exitCode, out: out.join("\n"), errors: errors.join("\n") };
}

function linesOf(lines: string[]) {
  return {
    write: (text: string) => {
      lines.push(text);
    },
    width: undefined,
    paint: (_: string, text: string) => text,
  };
}

function attributesOf(count: number) {
  return {
    Attributes: {
      ApproximateNumberOfMessages: String(count),
      ApproximateNumberOfMessagesNotVisible: "0",
      ApproximateNumberOfMessagesDelayed: "0",
      MessageRetentionPeriod: String((14 * DAY) / 1000),
    },
  };
}

type StoredKey = { readonly pk: { readonly S: string } };

function markOf(item: LedgerItem) {
  return { ...storedItem(item), kind: { S: "discarded" }, why: { S: "test account" } };
}

function withheldItem(item: LedgerItem) {
  return { ...storedItem(item), withheld: { S: "discarded" } };
}

function storedItem(item: LedgerItem) {
  return {
    id: { S: item.id },
    key: { S: item.key },
    state: { S: item.state },
    partition: { N: String(item.partition) },
    generation: { N: String(item.generation) },
    attempts: { N: String(item.attempts) },
    enqueuedAt: { N: String(item.enqueuedAtMs) },
    failedAt: { N: String(item.failedAtMs) },
    ...(item.offset === undefined ? {} : { offset: { S: item.offset } }),
    ...(item.reason === undefined ? {} : { reason: { S: item.reason } }),
  };
}
