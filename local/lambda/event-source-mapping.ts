import type { Message } from "@aws-sdk/client-sqs";
import { type Delivery, deliverBatch, groupOf } from "./deliver-batch.ts";
import { createGroupTurns } from "./group-turns.ts";
import { type Backoff, createQueuePoller, type PollLimits } from "./queue-poller.ts";
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

/** https://docs.aws.amazon.com/lambda/latest/api/API_EventSourceMappingConfiguration.html */
export type MappingState = "Enabling" | "Enabled" | "Disabling" | "Disabled";

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
  readonly invoke: (event: unknown) => Promise<unknown>;
  readonly remove: (receiptHandles: readonly string[]) => Promise<void>;
};

/** Carries messages of one queue to one function, as Lambda's pollers do. */
export type EventSourceMapping = {
  status(): MappingStatus;
  /** Applies to the next poll. */
  setLimits(limits: PollLimits): void;
  enable(): void;
  /** No poll is begun any more; `Disabled` once the running invocations are done. */
  disable(): Promise<void>;
};

export function createEventSourceMapping(
  props: Required<MappingProps>,
  ports: MappingPorts,
): EventSourceMapping {
  const source = { queueArn: props.queueArn, region: ports.region };
  const inTurn = createGroupTurns();
  let limits: PollLimits = props;
  let state: MappingState = "Disabled";
  let lastModifiedMs = Date.now();
  let lastProcessingResult = "No records processed";

  const enter = (next: MappingState): void => {
    state = next;
    lastModifiedMs = Date.now();
  };

  const deliver = async (messages: readonly Message[]): Promise<boolean> => {
    const records = messages.map((message) => sqsRecord(message, source));
    const delivery: Delivery = {
      reportBatchItemFailures: props.reportBatchItemFailures,
      invoke: (part) => ports.invoke({ Records: part }),
      remove: (done) => ports.remove(done.map(({ receiptHandle }) => receiptHandle)),
    };
    const outcome = await inTurn(new Set(records.map(groupOf)), () =>
      deliverBatch(delivery, records),
    );
    lastProcessingResult = outcome.kind === "failed" ? `PROBLEM: ${outcome.why}` : "OK";
    return outcome.kind === "delivered";
  };

  const poller = createQueuePoller({
    limits: () => limits,
    receive: ports.receive,
    deliver,
    onPollError(error): void {
      lastProcessingResult = `PROBLEM: ${error}`;
    },
    backoff: ports.backoff,
  });

  return {
    status: () => ({ ...props, ...limits, state, lastModifiedMs, lastProcessingResult }),
    setLimits(changed): void {
      limits = { ...changed };
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
  };
}
