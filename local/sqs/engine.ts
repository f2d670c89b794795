import { createDeadlines } from "./deadlines.ts";
import type { JournalEvent, QueueState } from "./journal-event.ts";
import { dismissWaiters, serveWaiters } from "./long-poll.ts";
import { unplaceMessage } from "./placing.ts";
import { createQueue, type Queue, type Runtime } from "./queue.ts";
import { cancelSweep } from "./retention.ts";
import { queueDoesNotExist } from "./sqs-errors.ts";

/** All queues of one account in one Region. */
export type Engine = {
  readonly runtime: Runtime;
  readonly queues: Map<string, Queue>;
  /** When a queue of that name was deleted last, epoch milliseconds. */
  readonly deletedAtMs: Map<string, number>;
  readonly arnOf: (queueName: string) => string;
  readonly urlOf: (queueName: string) => string;
  /** Lets the sequence numbers go on above one that an earlier run gave. */
  readonly continueAfter: (sequenceNumber: string | undefined) => void;
};

export type EngineOptions = {
  readonly region: string;
  readonly accountId: string;
  readonly urlOf: (queueName: string) => string;
  /** Is told of each change, before its answer is given. */
  readonly record: (event: JournalEvent) => void;
  /** Epoch milliseconds. @default Date.now */
  readonly now?: () => number;
};

// AWS's own numbers have 20 digits and skip. Counted on from the time, those of a later run are
// above all of an earlier one, up to 390 messages a millisecond.
const FIRST_SEQUENCE_NUMBER = 18_800_000_000_000_000_000n;
const SEQUENCE_PER_MS = 100_000n;
const SEQUENCE_STEP = 256n;

export function createEngine(options: EngineOptions): Engine {
  const { region, accountId, urlOf, record, now = (): number => Date.now() } = options;
  const queues = new Map<string, Queue>();
  const arnOf = (queueName: string): string => `arn:aws:sqs:${region}:${accountId}:${queueName}`;
  let sequenceNumber = FIRST_SEQUENCE_NUMBER + BigInt(now()) * SEQUENCE_PER_MS;
  const runtime: Runtime = {
    now,
    deadlines: createDeadlines(now),
    record,
    queueByArn(arn): Queue | undefined {
      const queue = queues.get(arn.slice(arn.lastIndexOf(":") + 1));
      return queue?.arn === arn ? queue : undefined;
    },
    nextSequenceNumber(): string {
      sequenceNumber += SEQUENCE_STEP;
      return String(sequenceNumber);
    },
    onReady: oncePerTurn(serveWaiters),
  };
  const continueAfter = (given: string | undefined): void => {
    const earlier = BigInt(given ?? 0);
    if (earlier > sequenceNumber) sequenceNumber = earlier;
  };
  return { runtime, queues, deletedAtMs: new Map(), arnOf, urlOf, continueAfter };
}

/** @throws ServiceError QueueDoesNotExist */
export function queueAt(engine: Engine, queueUrl: unknown): Queue {
  const url = String(queueUrl ?? "");
  const queue = engine.queues.get(url.slice(url.lastIndexOf("/") + 1));
  if (queue === undefined) throw queueDoesNotExist();
  return queue;
}

export function addQueue(engine: Engine, state: QueueState): Queue {
  const queue = createQueue(engine.runtime, engine.arnOf(state.name), state);
  engine.queues.set(queue.name, queue);
  return queue;
}

/** Removes the queue with all that it holds. */
export function removeQueue(engine: Engine, queue: Queue, atMs: number): void {
  clearQueue(queue);
  dismissWaiters(queue);
  engine.queues.delete(queue.name);
  engine.deletedAtMs.set(queue.name, atMs);
}

/** Drops all messages, in flight ones too, and forgets all de-duplication ids. */
export function clearQueue(queue: Queue): void {
  for (const message of queue.messages.values()) unplaceMessage(message);
  queue.groups.clear();
  queue.ready.first = undefined;
  queue.ready.last = undefined;
  queue.deduplication.prune(Number.POSITIVE_INFINITY);
  queue.attempts.prune(Number.POSITIVE_INFINITY);
  cancelSweep(queue);
}

/** The queue as it would have to be created again. */
export function stateOf(queue: Queue): QueueState {
  const { name, attributes, tags, createdAtMs, modifiedAtMs } = queue;
  return { name, attributes, tags, createdAtMs, modifiedAtMs };
}

/**
 * Puts the calls of one turn of the event loop together, so that a poll sees all messages of a
 * batch that was sent, or whose timeouts ended, together.
 */
function oncePerTurn(run: (queue: Queue) => void): (queue: Queue) => void {
  const waiting = new Set<Queue>();
  return (queue) => {
    if (queue.waiters.first === undefined || waiting.has(queue)) return;
    waiting.add(queue);
    queueMicrotask(() => {
      waiting.delete(queue);
      run(queue);
    });
  };
}
