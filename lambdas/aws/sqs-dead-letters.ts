import {
  SendMessageCommand,
  type SendMessageCommandInput,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { LetterFacts } from "../core/dead-letter.ts";
import type { DeadLetters } from "../core/dead-letters.ts";
import type { Delivery } from "../core/record.ts";
import { letterDeduplicationId, sqsIdOf } from "../core/wire/identity.ts";
import { letterAttributes } from "../core/wire/letter-attributes.ts";
import { toSdkAttributes } from "./sqs-attributes.ts";

/** The FIFO dead-letter queue on SQS, as the consumer writes to it. */
export class SqsDeadLetters implements DeadLetters {
  readonly #client: SQSClient;
  readonly #queueUrl: string;

  constructor({ client, queueUrl }: { readonly client: SQSClient; readonly queueUrl: string }) {
    this.#client = client;
    this.#queueUrl = queueUrl;
  }

  async send(delivery: Delivery, facts: LetterFacts): Promise<void> {
    await this.#client.send(new SendMessageCommand(this.#input(delivery, facts)));
  }

  #input(delivery: Delivery, facts: LetterFacts): SendMessageCommandInput {
    const { id, ...mark } = facts;
    return {
      QueueUrl: this.#queueUrl,
      MessageBody: delivery.body,
      MessageAttributes: toSdkAttributes(letterAttributes(delivery, mark)),
      // A group of its own, so that reading one letter hides no other.
      MessageGroupId: sqsIdOf(id),
      MessageDeduplicationId: letterDeduplicationId(facts.id, facts.generation, delivery.messageId),
    };
  }
}
