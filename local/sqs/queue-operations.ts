import type { Operation } from "../http/aws-json.ts";
import { addQueue, clearQueue, type Engine, queueAt, removeQueue, stateOf } from "./engine.ts";
import type { Queue } from "./queue.ts";
import { checkQueueAttributes, type QueueAttributes } from "./queue-attributes.ts";
import { checkRedriveAllowPolicy, checkRedrivePolicy } from "./redrive-policy.ts";
import { invalidParameter, missingParameter, prefixedError, sqsError } from "./sqs-errors.ts";

type CreateInput = {
  readonly QueueName?: string;
  readonly Attributes?: QueueAttributes;
  readonly tags?: Readonly<Record<string, string>>;
};
type ListInput = {
  readonly QueueNamePrefix?: string;
  readonly MaxResults?: number;
  readonly NextToken?: string;
};
type QueueInput = { readonly QueueUrl?: string };

const QUEUE_NAME = /^[\w-]{1,80}$/;
const FIFO_QUEUE_NAME = /^[\w-]{1,75}\.fifo$/;
// SQS makes both wait for a minute.
const PAUSE_MS = 60_000;
const PAGE = 1000;

/** Create, delete, purge, find and list queues. */
export function queueOperations(engine: Engine): Readonly<Record<string, Operation>> {
  return {
    CreateQueue: (input: CreateInput): object => ({
      QueueUrl: engine.urlOf(createOnce(engine, input).name),
    }),
    DeleteQueue({ QueueUrl }: QueueInput): void {
      const queue = queueAt(engine, QueueUrl);
      const atMs = engine.runtime.now();
      removeQueue(engine, queue, atMs);
      engine.runtime.record({ kind: "queueDeleted", queue: queue.name, atMs });
    },
    PurgeQueue({ QueueUrl }: QueueInput): void {
      purge(queueAt(engine, QueueUrl));
    },
    GetQueueUrl: ({ QueueName }: CreateInput): object => ({
      QueueUrl: engine.urlOf(queueAt(engine, QueueName).name),
    }),
    ListQueues: (input: ListInput): object => listQueues(engine, input),
  };
}

function createOnce(engine: Engine, { QueueName, Attributes = {}, tags = {} }: CreateInput): Queue {
  if (QueueName === undefined) throw missingParameter("QueueName");
  checkName(QueueName, Attributes);
  const present = engine.queues.get(QueueName);
  if (present !== undefined) return sameQueue(present, Attributes);
  const { runtime } = engine;
  const nowMs = runtime.now();
  if (nowMs - (engine.deletedAtMs.get(QueueName) ?? 0) < PAUSE_MS) {
    throw prefixedError(
      "QueueDeletedRecently",
      "You must wait 60 seconds after deleting a queue before you can create another with the same name.",
    );
  }
  const fifo = QueueName.endsWith(".fifo");
  checkQueueAttributes(Attributes, {}, fifo);
  checkRedriveAllowPolicy(Attributes["RedriveAllowPolicy"]);
  const source = { arn: engine.arnOf(QueueName), fifo };
  checkRedrivePolicy(Attributes["RedrivePolicy"], source, runtime.queueByArn);
  const queue = addQueue(engine, {
    name: QueueName,
    attributes: Attributes,
    tags,
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
  });
  runtime.record({ kind: "queue", state: stateOf(queue) });
  return queue;
}

function checkName(name: string, attributes: QueueAttributes): void {
  if (attributes["FifoQueue"] === "true" && !FIFO_QUEUE_NAME.test(name)) {
    throw invalidParameter(
      "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length.",
    );
  }
  if (attributes["FifoQueue"] !== "true" && !QUEUE_NAME.test(name)) {
    throw invalidParameter(
      "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length",
    );
  }
}

function sameQueue(present: Queue, wanted: QueueAttributes): Queue {
  const different = Object.keys(wanted).find((name) => present.attributes[name] !== wanted[name]);
  if (different === undefined) return present;
  throw sqsError(
    "QueueNameExists",
    `A queue already exists with the same name and a different value for attribute ${different}`,
    "QueueAlreadyExists",
  );
}

function purge(queue: Queue): void {
  const { now, record } = queue.runtime;
  const atMs = now();
  if (queue.purgedAtMs !== undefined && atMs - queue.purgedAtMs < PAUSE_MS) {
    throw prefixedError(
      "PurgeQueueInProgress",
      `Only one PurgeQueue operation on ${queue.name} is allowed every 60 seconds.`,
      403,
    );
  }
  queue.purgedAtMs = atMs;
  clearQueue(queue);
  record({ kind: "purged", queue: queue.name, atMs });
}

function listQueues(
  engine: Engine,
  { QueueNamePrefix = "", MaxResults, NextToken }: ListInput,
): object {
  const names = [...engine.queues.keys()].filter((name) => name.startsWith(QueueNamePrefix)).sort();
  // The token is the last name told, so that queues made or deleted meanwhile shift no page.
  const after = NextToken === undefined ? "" : Buffer.from(NextToken, "base64").toString();
  const rest = names.filter((name) => name > after);
  const page = rest.slice(0, MaxResults ?? PAGE);
  const last = page.at(-1);
  const more = MaxResults !== undefined && rest.length > page.length && last !== undefined;
  return {
    ...(page.length === 0 ? {} : { QueueUrls: page.map(engine.urlOf) }),
    ...(more ? { NextToken: Buffer.from(last).toString("base64") } : {}),
  };
}
