import { type Chain, emptyChain, type Link } from "./chain.ts";
import type { Deadline, Deadlines } from "./deadlines.ts";
import { createExpiringMap, type ExpiringMap } from "./expiring-map.ts";
import type { Counters, JournalEvent, QueueState } from "./journal-event.ts";
import type { MessageFacts } from "./message-facts.ts";
import type { MoveTask } from "./move-task.ts";
import { type QueueAttributes, withDefaults } from "./queue-attributes.ts";
import { type RedrivePolicy, readRedrivePolicy } from "./redrive-policy.ts";

/** Counted by SQS as visible, not visible or delayed; `gone` is deleted, expired or moved. */
export type MessageState = "visible" | "inFlight" | "delayed" | "gone";

export type Message = {
  readonly facts: MessageFacts;
  readonly group: Group;
  inGroup: Link<Message> | undefined;
  inQueue: Link<Message> | undefined;
  state: MessageState;
  /** Receives from this queue. */
  receives: number;
  firstReceivedAtMs: number | undefined;
  /** Of the last receive: an older one deletes nothing. */
  receiptHandle: string | undefined;
  /** Epoch milliseconds at which it turns visible, if in flight or delayed. */
  invisibleUntilMs: number;
  deadline: Deadline | undefined;
};

/** Messages that are handed out in order. On a standard queue each message is its own group. */
export type Group = {
  readonly key: string;
  readonly queue: Queue;
  readonly messages: Chain<Message>;
  /** Its place among the groups whose oldest message is visible. */
  ready: Link<Group> | undefined;
};

/** A long poll. `isGone` tells that its client has left. */
export type Waiter = {
  readonly maxMessages: number;
  readonly visibilityTimeoutMs: number;
  answer(messages: readonly Message[]): void;
  isGone(): boolean;
};

export type Sent = { readonly messageId: string; readonly sequenceNumber: string };
export type Receipt = { readonly messageId: string; readonly receiptHandle: string };

export type Queue = {
  readonly runtime: Runtime;
  readonly name: string;
  readonly arn: string;
  readonly fifo: boolean;
  readonly createdAtMs: number;
  modifiedAtMs: number;
  purgedAtMs: number | undefined;
  attributes: QueueAttributes;
  redrive: RedrivePolicy | undefined;
  tags: Readonly<Record<string, string>>;
  readonly messages: Map<string, Message>;
  /** All messages, the longest sent first. */
  readonly arrivals: Chain<Message>;
  readonly groups: Map<string, Group>;
  readonly ready: Chain<Group>;
  readonly waiters: Chain<Waiter>;
  /** Kept after a message is deleted: SQS remembers an id for its whole window. */
  readonly deduplication: ExpiringMap<Sent>;
  readonly attempts: ExpiringMap<readonly Receipt[]>;
  readonly counts: { visible: number; inFlight: number; delayed: number };
  readonly counters: Counters;
  sweep: Deadline | undefined;
  /** Newest first. */
  moveTasks: readonly MoveTask[];
};

/** What all queues of one server share. */
export type Runtime = {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly deadlines: Deadlines;
  readonly record: (event: JournalEvent) => void;
  readonly queueByArn: (arn: string) => Queue | undefined;
  readonly nextSequenceNumber: () => string;
  /** Called when a group turns ready, so that long polls are answered. */
  readonly onReady: (queue: Queue) => void;
};

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
export const DEDUPLICATION_WINDOW_MS = 300_000;
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html
const ATTEMPT_WINDOW_MS = 300_000;

export function createQueue(runtime: Runtime, arn: string, state: QueueState): Queue {
  const fifo = state.name.endsWith(".fifo");
  const attributes = withDefaults(state.attributes, fifo);
  return {
    runtime,
    name: state.name,
    arn,
    fifo,
    createdAtMs: state.createdAtMs,
    modifiedAtMs: state.modifiedAtMs,
    purgedAtMs: undefined,
    attributes,
    redrive: readRedrivePolicy(attributes["RedrivePolicy"]),
    tags: state.tags,
    messages: new Map(),
    arrivals: emptyChain(),
    groups: new Map(),
    ready: emptyChain(),
    waiters: emptyChain(),
    deduplication: createExpiringMap(DEDUPLICATION_WINDOW_MS),
    attempts: createExpiringMap(ATTEMPT_WINDOW_MS),
    counts: { visible: 0, inFlight: 0, delayed: 0 },
    counters: { sent: 0, sentBytes: 0, received: 0, deleted: 0, emptyReceives: 0 },
    sweep: undefined,
    moveTasks: [],
  };
}

/** A time attribute in milliseconds; the attributes themselves are seconds as text. */
export function millisecondsOf(
  queue: Queue,
  attribute:
    | "VisibilityTimeout"
    | "DelaySeconds"
    | "MessageRetentionPeriod"
    | "ReceiveMessageWaitTimeSeconds",
): number {
  return Number(queue.attributes[attribute]) * 1000;
}
