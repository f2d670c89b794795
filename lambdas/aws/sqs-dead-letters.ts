import {
  SendMessageCommand,
  type SendMessageCommandInput,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { LetterFacts } from "../core/dead-letter.ts";
import type { DeadLetters } from "../core/dead-letters.ts";
import { letterDeduplicationId, sqsIdOf } from "../core/identity.ts";
import { SQS_LIMITS } from "../core/limits.ts";
import { messageBytes } from "../core/message-size.ts";
import type { Delivery, MessageAttributes } from "../core/record.ts";
import { WIRE } from "../core/wire.ts";
import { encodeLetter } from "../core/wire-metadata.ts";
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
    return {
      QueueUrl: this.#queueUrl,
      MessageBody: delivery.body,
      MessageAttributes: toSdkAttributes(letterAttributes(delivery, facts)),
      // A group of its own, so that reading one letter hides no other.
      MessageGroupId: sqsIdOf(facts.id),
      MessageDeduplicationId: letterDeduplicationId(facts.id, facts.generation, delivery.messageId),
    };
  }
}

/** The message's own attributes with the facts in place of a replay's mark; where that does not fit,
 *  the message goes unchanged and its facts are in the ledger alone. */
function letterAttributes(delivery: Delivery, { id: _, ...mark }: LetterFacts): MessageAttributes {
  const { [WIRE.replay]: _replay, ...kept } = delivery.attributes;
  const marked = { ...kept, [WIRE.deadLetter]: encodeLetter(mark) };
  const fits =
    Object.keys(marked).length <= SQS_LIMITS.messageAttributes &&
    messageBytes(delivery.body, marked) <= SQS_LIMITS.messageBytes;
  return fits ? marked : delivery.attributes;
}
