import { ChangeMessageVisibilityBatchCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { SQS_LIMITS } from "../core/limits.ts";
import type { Delivery } from "../core/record.ts";
import type { Source } from "../core/source.ts";

/** The source queue on SQS. */
export class SqsSource implements Source {
  readonly #client: SQSClient;
  readonly #queueUrl: string;

  constructor({ client, queueUrl }: { readonly client: SQSClient; readonly queueUrl: string }) {
    this.#client = client;
    this.#queueUrl = queueUrl;
  }

  /**
   * From the last message to the first: SQS hands a group out up to its first invisible message, so
   * the head must be the last to come back, or it would return alone while the others still wait.
   * Entries that SQS refuses (an expired handle) keep their timeout, which is what is wanted.
   */
  async setVisibility(deliveries: readonly Delivery[], seconds: number): Promise<void> {
    const entries = deliveries
      .map(({ receiptHandle }, index) => ({
        Id: String(index),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }))
      .toReversed();
    for (let start = 0; start < entries.length; start += SQS_LIMITS.batchEntries) {
      await this.#client.send(
        new ChangeMessageVisibilityBatchCommand({
          QueueUrl: this.#queueUrl,
          Entries: entries.slice(start, start + SQS_LIMITS.batchEntries),
        }),
      );
    }
  }
}
