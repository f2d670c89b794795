import {
  type BatchResultErrorEntry,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SendMessageBatchResultEntry,
  SQSClient,
  SQSServiceException,
} from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { PublishError } from "../../../lambdas/aws/publisher/publish-error.ts";
import { Publisher } from "../../../lambdas/aws/publisher/publisher.ts";
import { fromSdkAttributes } from "../../../lambdas/aws/sqs-attributes.ts";
import { partitionOf } from "../../../lambdas/core/partition.ts";
import { messageBytes } from "../../../lambdas/core/wire/message-size.ts";
import type { OutgoingRecord } from "../../../lambdas/core/wire/outgoing.ts";
import { VirtualClock } from "../../core/virtual-clock.ts";

export const QUEUE_URL = "https://sqs.us-east-1.amazonaws.com/123456789012/source.fifo";
export const PARTITIONS = 64;

/** What the queue does with one entry of a request. */
export type EntryFate =
  | "accepted"
  /** Accepted, and the answer does not say so. */
  | "forgotten"
  | "withoutNumber"
  | { readonly failed: string; readonly senderFault: boolean };

/** What becomes of a whole request after, or instead of, its entries. */
export type RequestFate =
  | { readonly kind: "answered"; readonly afterMs?: number }
  /** Entries are accepted, and the sender sees an error. */
  | { readonly kind: "lost"; readonly error: Error }
  | { readonly kind: "refused"; readonly error: Error }
  /** No answer until the sender aborts. */
  | { readonly kind: "hung" };

export type Script = {
  /** `nth` counts the tries of this record from 1. */
  readonly entry?: (id: string, nth: number) => EntryFate;
  /** `nth` counts requests from 1. */
  readonly request?: (nth: number) => RequestFate;
};

export type SeenRequest = {
  readonly atMs: number;
  readonly ids: readonly string[];
  readonly bytes: number;
  readonly entries: readonly SendMessageBatchRequestEntry[];
};

/** A publisher on virtual time before a FIFO queue that watches what must never happen. */
export function publisherStage(script: Script = {}, partitions = PARTITIONS) {
  const clock = new VirtualClock();
  const client = new SQSClient({});
  const mock = mockClient(client);
  const queue = new FakeQueue(clock, script);
  let made = 0;
  mock.on(SendMessageBatchCommand).callsFake(({ QueueUrl, Entries }) => {
    if (QueueUrl !== QUEUE_URL) throw new Error(`unexpected queue ${QueueUrl}`);
    return queue.receive(Entries, abortSignalOf(mock.calls().at(-1)?.args));
  });
  const publisher = new Publisher({
    client,
    queueUrl: QUEUE_URL,
    partitions,
    clock,
    random: () => 0.5,
    newId: () => {
      made += 1;
      return `made-${made}`;
    },
  });
  return { clock, client, publisher, queue };
}

class FakeQueue {
  readonly requests: SeenRequest[] = [];
  /** Ids in the order in which the queue has them. */
  readonly accepted: { readonly id: string; readonly group: string }[] = [];
  /** Groups that were twice in one request, or in two requests at once. */
  readonly overlaps: string[] = [];
  mostAtOnce = 0;
  readonly #clock: VirtualClock;
  readonly #script: Script;
  readonly #numbers = new Map<string, string>();
  readonly #tries = new Map<string, number>();
  readonly #groupsInFlight = new Set<string>();
  #requestsInFlight = 0;

  constructor(clock: VirtualClock, script: Script) {
    this.#clock = clock;
    this.#script = script;
  }

  idsOf(group: number): readonly string[] {
    return this.accepted.filter((one) => one.group === String(group)).map(({ id }) => id);
  }

  async receive(entries: readonly SendMessageBatchRequestEntry[], signal: AbortSignal) {
    this.requests.push({
      atMs: this.#clock.nowMs(),
      ids: entries.map(idOf),
      bytes: entries.reduce((sum, entry) => sum + bytesOf(entry), 0),
      entries,
    });
    const fate = this.#script.request?.(this.requests.length) ?? { kind: "answered" };
    this.#enter(entries);
    try {
      return await this.#answer(fate, entries, signal);
    } finally {
      this.#leave(entries);
    }
  }

  async #answer(
    fate: RequestFate,
    entries: readonly SendMessageBatchRequestEntry[],
    signal: AbortSignal,
  ) {
    switch (fate.kind) {
      case "refused":
        throw fate.error;
      case "hung":
        return new Promise<never>((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      case "lost":
        this.#judge(entries);
        throw fate.error;
      case "answered":
        if (fate.afterMs !== undefined) await this.#clock.sleep(fate.afterMs);
        return this.#judge(entries);
      default:
        return fate satisfies never;
    }
  }

  #judge(entries: readonly SendMessageBatchRequestEntry[]) {
    const Successful: SendMessageBatchResultEntry[] = [];
    const Failed: BatchResultErrorEntry[] = [];
    for (const entry of entries) {
      const { Id, MessageDeduplicationId: deduplicationId = "" } = entry;
      const nth = (this.#tries.get(idOf(entry)) ?? 0) + 1;
      this.#tries.set(idOf(entry), nth);
      const fate = this.#script.entry?.(idOf(entry), nth) ?? "accepted";
      if (typeof fate === "object") {
        Failed.push({ Id, Code: fate.failed, SenderFault: fate.senderFault, Message: "sorry" });
        continue;
      }
      const SequenceNumber = this.#accept(entry);
      const success = { Id, MessageId: `message-${deduplicationId}`, MD5OfMessageBody: "" };
      if (fate === "accepted") Successful.push({ ...success, SequenceNumber });
      if (fate === "withoutNumber") Successful.push(success);
    }
    return { Successful, ...(Failed.length > 0 && { Failed }) };
  }

  #accept(entry: SendMessageBatchRequestEntry): string {
    const group = entry.MessageGroupId ?? "";
    const identity = `${group} ${entry.MessageDeduplicationId}`;
    const known = this.#numbers.get(identity);
    if (known !== undefined) return known;
    const number = String(18849496460467696128n + BigInt(this.accepted.length));
    this.#numbers.set(identity, number);
    this.accepted.push({ id: idOf(entry), group });
    return number;
  }

  #enter(entries: readonly SendMessageBatchRequestEntry[]): void {
    this.#requestsInFlight += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#requestsInFlight);
    for (const { MessageGroupId: group = "" } of entries) {
      if (this.#groupsInFlight.has(group)) this.overlaps.push(group);
      this.#groupsInFlight.add(group);
    }
  }

  #leave(entries: readonly SendMessageBatchRequestEntry[]): void {
    this.#requestsInFlight -= 1;
    for (const { MessageGroupId: group = "" } of entries) this.#groupsInFlight.delete(group);
  }
}

/** A key of each of the partitions, so that tests can speak of partitions. */
export function keysOf(partitions = PARTITIONS): readonly string[] {
  const keys = new Map<number, string>();
  for (let n = 0; keys.size < partitions; n += 1) {
    const partition = partitionOf(`player:${n}`, partitions);
    if (!keys.has(partition)) keys.set(partition, `player:${n}`);
  }
  return Array.from({ length: partitions }, (_, partition) => keys.get(partition) ?? "");
}

/** The mock hands over a command's input alone; the options stand behind the command. */
function abortSignalOf(args: readonly unknown[] | undefined): AbortSignal {
  const options = args?.[1];
  if (options instanceof Object && "abortSignal" in options) {
    if (options.abortSignal instanceof AbortSignal) return options.abortSignal;
  }
  throw new Error("expected a request that can be aborted, got one without an `abortSignal`");
}

function idOf(entry: SendMessageBatchRequestEntry): string {
  return entry.MessageAttributes?.["id"]?.StringValue ?? "";
}

function bytesOf({ MessageBody = "", MessageAttributes }: SendMessageBatchRequestEntry): number {
  return messageBytes(MessageBody, fromSdkAttributes(MessageAttributes));
}

/** A key of each partition. */
export const KEYS = keysOf();

/** A record of a partition. */
export const at = (partition: number, id: string, payload = id): OutgoingRecord => ({
  key: KEYS[partition] ?? "",
  payload,
  id,
});

/** SQS is not well for the moment, and says that it is not the sender's fault. */
export const UNWELL: EntryFate = { failed: "InternalError", senderFault: false };

export const serviceError = (name: string, $fault: "client" | "server") =>
  new SQSServiceException({ name, $fault, message: "sorry", $metadata: {} });

export async function failureOf(published: Promise<unknown>): Promise<PublishError> {
  const error = await published.catch((thrown: unknown) => thrown);
  if (error instanceof PublishError) return error;
  throw new Error(`expected a PublishError, got ${error}`);
}

export const idsIn = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);
