import { ReferenceQueue } from "../../../lambdas/core/reference/reference-queue.ts";
import type {
  ReferenceLetter,
  ReferenceRecord,
} from "../../../lambdas/core/reference/reference-record.ts";

type Failure = { readonly offset: number; readonly text: string };

type Plan = {
  readonly fail: readonly Failure[];
  readonly panicOn?: readonly number[];
  readonly nilHandle?: boolean;
};

type Op =
  | {
      readonly op: "publish";
      readonly offset: number;
      readonly key: string;
      readonly payloadLen: number;
      readonly enqueuedAtMs: number;
      readonly attempts?: number;
    }
  | (Plan & { readonly op: "drain"; readonly partition: number; readonly maxAttempts: number })
  | { readonly op: "backlog"; readonly nowMs: number }
  | { readonly op: "deadLetters" }
  | (Plan & { readonly op: "replay"; readonly applied: readonly number[] | null });

/** One trace of traces.json: calls on a new queue, each with what the reference answered. */
export type Trace = {
  readonly id: string;
  readonly tag: string;
  readonly partitions: number;
  readonly ops: readonly (Op & { readonly want: unknown })[];
};

/** Runs a trace and gives what came of each call beside what the reference answered. */
export function runTrace({ partitions, ops }: Trace): {
  readonly got: readonly unknown[];
  readonly want: readonly unknown[];
} {
  const queue = new ReferenceQueue(partitions, () => 0);
  return { got: ops.map((op) => run(queue, op)), want: ops.map(({ want }) => want) };
}

function run(queue: ReferenceQueue, op: Op): unknown {
  switch (op.op) {
    case "publish":
      return { partition: queue.publish(recordOf(op)) };
    case "drain":
      return drain(queue, op);
    case "backlog":
      return queue.backlog(op.nowMs);
    case "deadLetters":
      return queue.deadLetters().map(({ record, reason }) => {
        const { key, attempts } = record;
        return { offset: Number(record.offset), key, attempts, reason };
      });
    case "replay":
      return replay(queue, op);
    default:
      return op satisfies never;
  }
}

function recordOf(op: Op & { readonly op: "publish" }): ReferenceRecord {
  const { offset, key, payloadLen, enqueuedAtMs, attempts = 0 } = op;
  return {
    offset: String(offset),
    key,
    payload: new Uint8Array(payloadLen),
    enqueuedAtMs,
    attempts,
  };
}

function drain(queue: ReferenceQueue, op: Op & { readonly op: "drain" }): unknown {
  const { handle, calls, callAttempts } = handlerOf(op);
  try {
    const counts = queue.drain(op.partition, op.maxAttempts, op.nilHandle ? undefined : handle);
    return { ...counts, calls, callAttempts };
  } catch {
    return { panicked: true, calls };
  }
}

function replay(queue: ReferenceQueue, op: Op & { readonly op: "replay" }): unknown {
  const { handle, calls, callAttempts } = handlerOf(op);
  const appliedCalls: number[] = [];
  const applied = ({ offset }: ReferenceRecord): boolean => {
    appliedCalls.push(Number(offset));
    return op.applied?.includes(Number(offset)) ?? false;
  };
  const { error = null, ...counts } = queue.replay({
    applied: op.applied === null ? undefined : applied,
    handle: op.nilHandle ? undefined : handle,
  });
  const remaining = queue.deadLetters().map(({ record, reason }: ReferenceLetter) => ({
    offset: Number(record.offset),
    attempts: record.attempts,
    reason,
  }));
  return { ...counts, error, appliedCalls, calls, callAttempts, remaining };
}

/** The handler of a plan, with what it was called with. */
function handlerOf({ fail, panicOn = [] }: Plan): {
  readonly handle: (record: ReferenceRecord) => void;
  readonly calls: readonly number[];
  readonly callAttempts: readonly number[];
} {
  const calls: number[] = [];
  const callAttempts: number[] = [];
  const handle = ({ offset, attempts }: ReferenceRecord): void => {
    calls.push(Number(offset));
    callAttempts.push(attempts);
    if (panicOn.includes(Number(offset))) throw new Error("panic");
    const failure = fail.find((entry) => entry.offset === Number(offset));
    if (failure !== undefined) throw new Error(failure.text);
  };
  return { handle, calls, callAttempts };
}
