import type { Operation } from "../http/aws-json.ts";
import { type Engine, queueAt, stateOf } from "./engine.ts";
import type { Queue } from "./queue.ts";
import {
  checkQueueAttributes,
  checkReadable,
  type QueueAttributes,
  withDefaults,
} from "./queue-attributes.ts";
import {
  checkRedriveAllowPolicy,
  checkRedrivePolicy,
  readRedrivePolicy,
} from "./redrive-policy.ts";
import { rescheduleSweep } from "./retention.ts";

type GetInput = { readonly QueueUrl?: string; readonly AttributeNames?: readonly string[] };
type SetInput = { readonly QueueUrl?: string; readonly Attributes?: QueueAttributes };

/** GetQueueAttributes and SetQueueAttributes. */
export function attributeOperations(engine: Engine): Readonly<Record<string, Operation>> {
  return {
    GetQueueAttributes({ QueueUrl, AttributeNames = [] }: GetInput): object {
      const queue = queueAt(engine, QueueUrl);
      checkReadable(AttributeNames);
      const asked = Object.entries(allAttributes(queue)).filter(
        ([name]) => AttributeNames.includes("All") || AttributeNames.includes(name),
      );
      return asked.length === 0 ? {} : { Attributes: Object.fromEntries(asked) };
    },
    SetQueueAttributes({ QueueUrl, Attributes = {} }: SetInput): void {
      const queue = queueAt(engine, QueueUrl);
      checkQueueAttributes(Attributes, queue.attributes, queue.fifo);
      checkRedriveAllowPolicy(Attributes["RedriveAllowPolicy"]);
      checkRedrivePolicy(Attributes["RedrivePolicy"], queue, queue.runtime.queueByArn);
      setAttributes(queue, Attributes);
    },
  };
}

/** Sets checked attributes over the present ones. */
export function setAttributes(queue: Queue, attributes: QueueAttributes): void {
  queue.attributes = withDefaults({ ...queue.attributes, ...attributes }, queue.fifo);
  queue.redrive = readRedrivePolicy(queue.attributes["RedrivePolicy"]);
  queue.modifiedAtMs = queue.runtime.now();
  queue.runtime.record({ kind: "queue", state: stateOf(queue) });
  rescheduleSweep(queue);
}

function allAttributes(queue: Queue): Readonly<Record<string, string>> {
  return {
    ...queue.attributes,
    QueueArn: queue.arn,
    CreatedTimestamp: epochSeconds(queue.createdAtMs),
    LastModifiedTimestamp: epochSeconds(queue.modifiedAtMs),
    ApproximateNumberOfMessages: String(queue.counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(queue.counts.inFlight),
    ApproximateNumberOfMessagesDelayed: String(queue.counts.delayed),
  };
}

function epochSeconds(epochMs: number): string {
  return String(Math.floor(epochMs / 1000));
}
