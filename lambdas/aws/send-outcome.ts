import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { reasonOf } from "../core/dead-letter.ts";
import type { OutgoingMessage, SendOutcome } from "../core/replay/replay-ports.ts";
import { toSdkAttributes } from "./sqs-attributes.ts";

/** Sends one message and tells a refusal from an outcome that is not known. Never throws. */
export async function sendMessage(
  client: SQSClient,
  queueUrl: string,
  { body, attributes, group, deduplicationId }: OutgoingMessage,
): Promise<SendOutcome> {
  try {
    const { MessageId = "" } = await client.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: body,
        MessageAttributes: toSdkAttributes(attributes),
        MessageGroupId: group,
        MessageDeduplicationId: deduplicationId,
      }),
    );
    return { kind: "accepted", messageId: MessageId };
  } catch (error) {
    return { kind: isRefusal(error) ? "refused" : "unknown", reason: reasonOf(error) };
  }
}

type ServiceError = {
  readonly $fault?: unknown;
  readonly $metadata?: { readonly attempts?: number; readonly httpStatusCode?: number };
};

/**
 * Whether SQS itself said no to the only try. Behind several tries, an earlier one may have been
 * accepted and its answer lost, whatever the last one says; without a status, no answer came.
 */
function isRefusal(error: unknown): boolean {
  const { $fault, $metadata } = (error ?? {}) as ServiceError;
  const status = $metadata?.httpStatusCode ?? 0;
  return $fault === "client" && status >= 400 && status < 500 && ($metadata?.attempts ?? 1) === 1;
}
