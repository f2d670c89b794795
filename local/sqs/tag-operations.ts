import type { Operation } from "../http/aws-json.ts";
import { type Engine, queueAt, stateOf } from "./engine.ts";
import type { Queue } from "./queue.ts";

type TagInput = {
  readonly QueueUrl?: string;
  readonly Tags?: Readonly<Record<string, string>>;
  readonly TagKeys?: readonly string[];
};

/** TagQueue, UntagQueue and ListQueueTags. */
export function tagOperations(engine: Engine): Readonly<Record<string, Operation>> {
  return {
    TagQueue({ QueueUrl, Tags = {} }: TagInput): void {
      const queue = queueAt(engine, QueueUrl);
      setTags(queue, { ...queue.tags, ...Tags });
    },
    UntagQueue({ QueueUrl, TagKeys = [] }: TagInput): void {
      const queue = queueAt(engine, QueueUrl);
      const kept = Object.entries(queue.tags).filter(([key]) => !TagKeys.includes(key));
      setTags(queue, Object.fromEntries(kept));
    },
    ListQueueTags: ({ QueueUrl }: TagInput): object => ({ Tags: queueAt(engine, QueueUrl).tags }),
  };
}

function setTags(queue: Queue, tags: Readonly<Record<string, string>>): void {
  queue.tags = tags;
  queue.runtime.record({ kind: "queue", state: stateOf(queue) });
}
