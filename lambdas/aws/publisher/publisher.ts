import type { SQSClient } from "@aws-sdk/client-sqs";
import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../core/clock.ts";
import { partitionOf } from "../../core/partition.ts";
import {
  encodeOutgoing,
  type OutgoingMessage,
  type OutgoingRecord,
} from "../../core/wire/outgoing.ts";
import { readPublishingParameter } from "../../core/wire/publishing-parameter.ts";
import { systemClock } from "../system-clock.ts";
import { BatchSender, type Delivered } from "./batch-sender.ts";
import {
  type FailedRecord,
  PublishError,
  type PublishedRecord,
  type UnpublishedRecord,
} from "./publish-error.ts";

export type PublisherOptions = {
  readonly client: SQSClient;
  /** The source queue, a FIFO queue. */
  readonly queueUrl: string;
  /** The backlog's partition count, as its SSM parameter says. */
  readonly partitions: number;
  /** @default the system's */
  readonly clock?: Clock;
  /** Ids of records that bring none. @default UUIDv7 */
  readonly newId?: () => string;
  /** Jitter of back-offs, 0 up to 1. @default Math.random */
  readonly random?: () => number;
};

export type PublishResult = {
  /** Every record of the call, in the order given. */
  readonly accepted: readonly PublishedRecord[];
};

/** What the caller may choose about a publisher that reads its queue from the SSM parameter. */
export type PublisherChoices = Omit<PublisherOptions, "client" | "queueUrl" | "partitions">;

/**
 * A publisher for the backlog whose SSM parameter `/backlogorder/<name>` holds this JSON text.
 * @throws RangeError where the parameter asks for a format or hash that this publisher does not speak.
 */
export function publisherFor(
  parameterJson: string,
  client: SQSClient,
  choices: PublisherChoices = {},
): Publisher {
  const { queueUrl, partitions } = readPublishingParameter(parameterJson);
  return new Publisher({ ...choices, client, queueUrl, partitions });
}

/**
 * Publishes records to a backlog (docs/wire-format.md). Keep one per process: records of one
 * partition keep the order of the calls, calls under way at once included, and share requests.
 */
export class Publisher {
  readonly #partitions: number;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #sender: BatchSender;

  /** @throws RangeError where the queue is not a FIFO queue or `partitions` is no count. */
  constructor(options: PublisherOptions) {
    const { client, queueUrl, partitions, clock = systemClock, random = Math.random } = options;
    if (!queueUrl.endsWith(".fifo")) {
      throw new RangeError(
        `Expected \`queueUrl\` to name a FIFO queue (ending in .fifo), got \`${queueUrl}\`. Take it from the SSM parameter of the backlog`,
      );
    }
    partitionOf("", partitions);
    this.#partitions = partitions;
    this.#clock = clock;
    this.#newId = options.newId ?? uuidv7;
    this.#sender = new BatchSender({ client, queueUrl, clock, random });
  }

  /**
   * Resolves once SQS has every record, with each one's partition and offset. What fails is tried
   * again for some seconds before anything later of its partition is sent.
   * @throws PublishError that says what became of each record where one was refused or failed.
   */
  async publish(records: readonly OutgoingRecord[]): Promise<PublishResult> {
    const messages = this.#encode(records);
    const outcomes = await Promise.all(
      messages.map(async (message) => ({ message, delivered: await this.#sender.send(message) })),
    );
    return resultOf(outcomes);
  }

  #encode(records: readonly OutgoingRecord[]): readonly OutgoingMessage[] {
    const defaults = { enqueuedAtMs: this.#clock.nowMs() };
    const messages: OutgoingMessage[] = [];
    const refused: UnpublishedRecord[] = [];
    const unsent: UnpublishedRecord[] = [];
    const indexOfId = new Map<string, number>();
    for (const [index, record] of records.entries()) {
      const id = record.id ?? this.#newId();
      const encoded = encodeOutgoing(record, { ...defaults, id }, this.#partitions);
      const first = indexOfId.get(id);
      if (encoded.kind === "refused") {
        refused.push({ index, id: encoded.id, reason: encoded.reason });
      } else if (first !== undefined) {
        // SQS would take the second for a repeat of the first and drop it.
        refused.push({
          index,
          id,
          reason: `expected an id of its own, got that of record ${first}`,
        });
      } else {
        indexOfId.set(id, index);
        messages.push(encoded.message);
        unsent.push({
          index,
          id,
          reason: "nothing of this call was sent, for a record was refused",
        });
      }
    }
    if (refused.length > 0) throw new PublishError({ accepted: [], failed: [], unsent, refused });
    return messages;
  }
}

type Outcome = { readonly message: OutgoingMessage; readonly delivered: Delivered };

function resultOf(outcomes: readonly Outcome[]): PublishResult {
  const accepted: PublishedRecord[] = [];
  const failed: FailedRecord[] = [];
  const unsent: UnpublishedRecord[] = [];
  for (const [index, { message, delivered }] of outcomes.entries()) {
    const { id, partition } = message;
    switch (delivered.kind) {
      case "accepted": {
        const { offset, messageId } = delivered;
        accepted.push({ index, id, partition, offset, messageId });
        break;
      }
      case "failed":
        failed.push({ index, id, reason: delivered.reason, arrived: delivered.arrived });
        break;
      case "unsent": {
        const reason = `record ${delivered.behindId} before it in partition ${partition} failed`;
        unsent.push({ index, id, reason });
        break;
      }
      default:
        delivered satisfies never;
    }
  }
  if (failed.length + unsent.length === 0) return { accepted };
  throw new PublishError({ accepted, failed, unsent, refused: [] });
}
