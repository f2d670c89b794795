import { SQS_LIMITS } from "../../lambdas/core/limits.ts";
import { invalidParameter, invalidValue, sqsError } from "./sqs-errors.ts";

/** Attributes as SQS tells them: numbers and booleans are text. */
export type QueueAttributes = Readonly<Record<string, string>>;

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  VisibilityTimeout: [0, SQS_LIMITS.visibilityTimeoutSeconds],
  DelaySeconds: [0, 900],
  MaximumMessageSize: [1024, SQS_LIMITS.messageBytes],
  MessageRetentionPeriod: [SQS_LIMITS.retentionSeconds.min, SQS_LIMITS.retentionSeconds.max],
  ReceiveMessageWaitTimeSeconds: [0, 20],
  KmsDataKeyReusePeriodSeconds: [60, 86_400],
};

const BOOLEAN = ["true", "false"];
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  SqsManagedSseEnabled: BOOLEAN,
  ContentBasedDeduplication: BOOLEAN,
  DeduplicationScope: ["queue", "messageGroup"],
  FifoThroughputLimit: ["perQueue", "perMessageGroupId"],
};

const FIFO_ONLY = ["ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit"];
const TEXT = ["Policy", "RedrivePolicy", "RedriveAllowPolicy", "KmsMasterKeyId"];
const SETTABLE = new Set([...Object.keys(RANGES), ...Object.keys(CHOICES), ...TEXT]);
const READABLE = new Set([
  ...SETTABLE,
  "All",
  "FifoQueue",
  "ApproximateNumberOfMessages",
  "ApproximateNumberOfMessagesNotVisible",
  "ApproximateNumberOfMessagesDelayed",
  "CreatedTimestamp",
  "LastModifiedTimestamp",
  "QueueArn",
]);

const DEFAULTS: QueueAttributes = {
  VisibilityTimeout: "30",
  DelaySeconds: "0",
  MaximumMessageSize: String(SQS_LIMITS.messageBytes),
  MessageRetentionPeriod: "345600",
  ReceiveMessageWaitTimeSeconds: "0",
  SqsManagedSseEnabled: "true",
};

const FIFO_DEFAULTS: QueueAttributes = {
  FifoQueue: "true",
  ContentBasedDeduplication: "false",
  DeduplicationScope: "queue",
  FifoThroughputLimit: "perQueue",
};

/** What a queue has unless told otherwise. */
export function defaultAttributes(fifo: boolean): QueueAttributes {
  return { ...DEFAULTS, ...(fifo ? FIFO_DEFAULTS : {}) };
}

/** The given attributes over those that a queue has unless told otherwise; `""` takes one away. */
export function withDefaults(given: QueueAttributes, fifo: boolean): QueueAttributes {
  const merged = { ...defaultAttributes(fifo), ...given };
  // A queue has one kind of encryption: a key of KMS switches that of SQS off.
  const encryption = given["KmsMasterKeyId"] ? { SqsManagedSseEnabled: "false" } : {};
  return Object.fromEntries(
    Object.entries({ ...merged, ...encryption }).filter(([, value]) => value !== ""),
  );
}

/**
 * Checks attributes to be set on top of the present ones. The redrive policies are checked apart,
 * as they name other queues.
 * @throws ServiceError InvalidAttributeName, InvalidAttributeValue or InvalidParameterValue
 */
export function checkQueueAttributes(
  given: QueueAttributes,
  present: QueueAttributes,
  fifo: boolean,
): void {
  for (const [name, value] of Object.entries(given)) {
    checkName(name, fifo);
    checkValue(name, value);
  }
  const { FifoThroughputLimit, DeduplicationScope } = { ...present, ...given };
  if (FifoThroughputLimit === "perMessageGroupId" && DeduplicationScope !== "messageGroup") {
    throw invalidValue(
      "FifoThroughputLimit",
      FifoThroughputLimit,
      "DeduplicationScope must be messageGroup.",
    );
  }
}

/** @throws ServiceError InvalidAttributeName */
export function checkReadable(names: readonly string[]): void {
  const unknown = names.find((name) => !READABLE.has(name));
  if (unknown !== undefined) throw unknownAttribute(unknown);
}

function checkName(name: string, fifo: boolean): void {
  const known = SETTABLE.has(name) || (name === "FifoQueue" && fifo);
  if (!known || (FIFO_ONLY.includes(name) && !fifo)) throw unknownAttribute(name);
}

function checkValue(name: string, value: unknown): void {
  if (typeof value !== "string") {
    throw invalidParameter(`Attribute ${name} must be a string, got ${typeof value}.`);
  }
  const range = RANGES[name];
  const inRange =
    range === undefined ||
    (/^\d+$/.test(value) && Number(value) >= range[0] && Number(value) <= range[1]);
  const chosen = CHOICES[name]?.includes(value) ?? true;
  if (inRange && chosen && (name !== "FifoQueue" || value === "true")) return;
  throw sqsError("InvalidAttributeValue", `Invalid value for the parameter ${name}.`);
}

function unknownAttribute(name: string): Error {
  return sqsError("InvalidAttributeName", `Unknown Attribute ${name}.`);
}
