import { randomUUID } from "node:crypto";
import type { Operation } from "../http/aws-json.ts";
import { type Engine, queueAt } from "./engine.ts";
import { type MoveTask, moveTaskResult } from "./move-task.ts";
import type { Queue } from "./queue.ts";
import { runMoveTask } from "./run-move-task.ts";
import { invalidParameter, invalidValue, resourceNotFound } from "./sqs-errors.ts";

type SourcesInput = { readonly QueueUrl?: string };
type StartInput = {
  readonly SourceArn?: string;
  readonly DestinationArn?: string;
  readonly MaxNumberOfMessagesPerSecond?: number;
};
type ListInput = { readonly SourceArn?: string; readonly MaxResults?: number };
type CancelInput = { readonly TaskHandle?: string };

const FASTEST_PER_SECOND = 500;
// As many as ListMessageMoveTasks ever returns.
const TASKS_KEPT = 10;

/** Dead-letter queues: who sends to one, and the tasks that move messages out of one. */
export function deadLetterOperations(engine: Engine): Readonly<Record<string, Operation>> {
  return {
    ListDeadLetterSourceQueues: ({ QueueUrl }: SourcesInput): object => ({
      queueUrls: sourcesOf(engine, queueAt(engine, QueueUrl)).map(({ name }) => engine.urlOf(name)),
    }),
    StartMessageMoveTask: (input: StartInput): object => startTask(engine, input),
    ListMessageMoveTasks({ SourceArn, MaxResults = 1 }: ListInput): object {
      const queue = queueOf(engine, SourceArn, "SourceArn");
      return { Results: queue.moveTasks.slice(0, MaxResults).map(moveTaskResult) };
    },
    CancelMessageMoveTask({ TaskHandle }: CancelInput): object {
      const tasks = [...engine.queues.values()].flatMap(({ moveTasks }) => moveTasks);
      const task = tasks.find(({ handle }) => handle === TaskHandle);
      if (task === undefined) throw resourceNotFound("Task does not exist.");
      if (task.status === "RUNNING") task.status = "CANCELLED";
      return { ApproximateNumberOfMessagesMoved: task.moved };
    },
  };
}

function startTask(engine: Engine, input: StartInput): object {
  const queue = queueOf(engine, input.SourceArn, "SourceArn");
  const { DestinationArn, MaxNumberOfMessagesPerSecond: rate } = input;
  if (DestinationArn !== undefined) {
    const destination = queueOf(engine, DestinationArn, "DestinationArn");
    if (destination.fifo !== queue.fifo) {
      throw invalidValue("DestinationArn", DestinationArn, "Must be of the source queue's type.");
    }
  }
  if (sourcesOf(engine, queue).length === 0) {
    throw invalidParameter("Source queue must be configured as a Dead Letter Queue.");
  }
  if (rate !== undefined && !(Number.isInteger(rate) && rate >= 1 && rate <= FASTEST_PER_SECOND)) {
    const reason = `Must be between 1 and ${FASTEST_PER_SECOND}.`;
    throw invalidValue("MaxNumberOfMessagesPerSecond", rate, reason);
  }
  if (queue.moveTasks.some(({ status }) => status === "RUNNING")) {
    throw invalidParameter(
      "There is already a task running. Only one active task is allowed for a source queue arn at a given time.",
    );
  }
  const task = newTask(queue, DestinationArn, rate);
  queue.moveTasks = [task, ...queue.moveTasks].slice(0, TASKS_KEPT);
  const { deadlines, now } = queue.runtime;
  deadlines.schedule(now(), () => runMoveTask(queue, task));
  return { TaskHandle: task.handle };
}

function newTask(
  queue: Queue,
  destinationArn: string | undefined,
  maxPerSecond: number | undefined,
): MoveTask {
  const taskId = randomUUID();
  return {
    handle: Buffer.from(JSON.stringify({ taskId, sourceArn: queue.arn })).toString("base64"),
    sourceArn: queue.arn,
    destinationArn,
    maxPerSecond,
    startedAtMs: queue.runtime.now(),
    toMove: queue.counts.visible,
    moved: 0,
    status: "RUNNING",
    failureReason: undefined,
  };
}

function sourcesOf(engine: Engine, target: Queue): readonly Queue[] {
  return [...engine.queues.values()].filter(
    ({ redrive }) => redrive?.deadLetterTargetArn === target.arn,
  );
}

function queueOf(engine: Engine, arn: string | undefined, parameter: string): Queue {
  const queue = engine.runtime.queueByArn(arn ?? "");
  if (queue !== undefined) return queue;
  throw resourceNotFound(
    `The resource that you specified for the ${parameter} parameter doesn't exist.`,
  );
}
