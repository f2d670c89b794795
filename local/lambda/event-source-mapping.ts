import type { Message } from "@aws-sdk/client-sqs";
import { type Delivery, deliverBatch, groupOf } from "./deliver-batch.ts";
import { createGroupTurns } from "./group-turns.ts";
import { type Backoff, createQueuePoller } from "./queue-poller.ts";
import { sqsRecord } from "./sqs-record.ts";

export type MappingProps = {
  /** @default a new UUID */
  readonly uuid?: string;
  readonly functionName: string;
  readonly queueUrl: string;
  readonly queueArn: string;
  /** From 1 to 10, the most that one receive returns. */
  readonly batchSize: number;
  /** Batches handled at once, 2 to 1000. */
  readonly maximumConcurrency: number;
  /** Whether the function's answer says which messages failed. */
  readonly reportBatchItemFailures: boolean;
};

/** What can be changed while it is there; the queue and its id cannot. */
export type MappingProperties = Omit<MappingProps, "uuid" | "queueUrl" | "queueArn">;

/** https://docs.aws.amazon.com/lambda/latest/api/API_EventSourceMappingConfiguration.html */
export type MappingState = "Enabling" | "Enabled" | "Disabling" | "Disabled" | "Deleting";

export type MappingStatus = Required<MappingProps> & {
  readonly state: MappingState;
  /** Epoch milliseconds. */
  readonly lastModifiedMs: number;
  /** `OK`, or what was wrong with the last poll or batch. */
  readonly lastProcessingResult: string;
};

export type MappingPorts = {
  readonly region: string;
  readonly backoff: Backoff;
  readonly receive: (messagesMax: number, signal: AbortSignal) => Promise<readonly Message[]>;
  /** @throws on a function error, or if no slot came free before the messages reappear. */
  readonly invoke: (functionName: string, event: unknown) => Promise<unknown>;
  readonly remove: (receiptHandles: readonly string[]) => Promise<void>;
};

/** Carries messages of one queue to one function, as Lambda's pollers do. */
export type EventSourceMapping = {
  status(): MappingStatus;
  /** Applies to the next poll, or to the next batch. */
  change(changes: Partial<MappingProperties>): void;
  enable(): void;
  /** No poll is begun any more; `Disabled` once the running invocations are done. */
  disable(): Promise<void>;
  /** The same for good: resolves when nothing of it runs any more. */
  end(): Promise<void>;
};

export function createEventSourceMapping(
  props: Required<MappingProps>,
  ports: MappingPorts,
): EventSourceMapping {
  const source = { queueArn: props.queueArn, region: ports.region };
  const inTurn = createGroupTurns();
  let current = props;
  let state: MappingState = "Disabled";
  let lastModifiedMs = Date.now();
  let lastProcessingResult = "No records processed";

  const enter = (next: MappingState): void => {
    // Whatever ends meanwhile: there is no way back from there.
    if (state === "Deleting") return;
    state = next;
    lastModifiedMs = Date.now();
  };

  const deliver = async (messages: readonly Message[]): Promise<boolean> => {
    const records = messages.map((message) => sqsRecord(message, source));
    const delivery: Delivery = {
      reportBatchItemFailures: current.reportBatchItemFailures,
      invoke: (part) => ports.invoke(current.functionName, { Records: part }),
      remove: (done) => ports.remove(done.map(({ receiptHandle }) => receiptHandle)),
    };
    const outcome = await inTurn(new Set(records.map(groupOf)), () =>
      deliverBatch(delivery, records),
    );
    lastProcessingResult = outcome.kind === "failed" ? `PROBLEM: ${outcome.why}` : "OK";
    return outcome.kind === "delivered";
  };

  const poller = createQueuePoller({
    limits: () => current,
    receive: ports.receive,
    deliver,
    onPollError(error): void {
      lastProcessingResult = `PROBLEM: ${error}`;
    },
    backoff: ports.backoff,
  });

  return {
    status: () => ({ ...current, state, lastModifiedMs, lastProcessingResult }),
    change(changes): void {
      current = { ...current, ...changes };
      lastModifiedMs = Date.now();
    },
    enable(): void {
      enter("Enabling");
      poller.start();
      setImmediate(() => {
        if (state === "Enabling") enter("Enabled");
      });
    },
    async disable(): Promise<void> {
      enter("Disabling");
      await poller.stop();
      enter("Disabled");
    },
    async end(): Promise<void> {
      enter("Deleting");
      await poller.stop();
    },
  };
}
