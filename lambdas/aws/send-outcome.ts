import {
  SendMessageBatchCommand,
  type SendMessageBatchResult,
  SendMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { reasonOf } from "../core/dead-letter.ts";
import { SQS_LIMITS } from "../core/limits.ts";
import type { OutgoingMessage, SendOutcome } from "../core/replay/replay-ports.ts";
import { messageBytes } from "../core/wire/message-size.ts";
import { messageFields } from "./message-fields.ts";

/** Sends one message and tells a refusal from an outcome that is not known. Never throws. */
export async function sendMessage(
  client: SQSClient,
  queueUrl: string,
  message: OutgoingMessage,
): Promise<SendOutcome> {
  try {
    const { MessageId = "" } = await client.send(
      new SendMessageCommand({ QueueUrl: queueUrl, ...messageFields(message) }),
    );
    return { kind: "accepted", messageId: MessageId };
  } catch (error) {
    return { kind: isRefusal(error) ? "refused" : "unknown", reason: reasonOf(error) };
  }
}

/** Sends messages in as few requests as their number and their bytes allow, side by side, and gives
 *  each its outcome, in their order. Never throws. */
export async function sendMessages(
  client: SQSClient,
  queueUrl: string,
  messages: readonly OutgoingMessage[],
): Promise<readonly SendOutcome[]> {
  const requests = inRequests(messages).map((some) => sendRequest(client, queueUrl, some));
  return (await Promise.all(requests)).flat();
}

/** Up to ten messages, and up to what SQS takes in one request. */
function inRequests(messages: readonly OutgoingMessage[]): readonly (readonly OutgoingMessage[])[] {
  const requests: OutgoingMessage[][] = [];
  let room = 0;
  for (const message of messages) {
    const bytes = messageBytes(message.body, message.attributes);
    const last = requests.at(-1);
    if (last === undefined || last.length === SQS_LIMITS.batchEntries || bytes > room) {
      requests.push([message]);
      room = SQS_LIMITS.messageBytes - bytes;
    } else {
      last.push(message);
      room -= bytes;
    }
  }
  return requests;
}

async function sendRequest(
  client: SQSClient,
  queueUrl: string,
  messages: readonly OutgoingMessage[],
): Promise<readonly SendOutcome[]> {
  try {
    const { $metadata, Successful, Failed } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: messages.map((message, index) => ({
          Id: String(index),
          ...messageFields(message),
        })),
      }),
    );
    const answers = { Successful, Failed, onlyTry: ($metadata?.attempts ?? 1) === 1 };
    return messages.map((_, index) => outcomeIn(answers, String(index)));
  } catch (error) {
    const kind = isRefusal(error) ? "refused" : "unknown";
    return messages.map(() => ({ kind, reason: reasonOf(error) }));
  }
}

/** An entry that fails behind a lost answer may be in the queue: an earlier try may have brought it. */
function outcomeIn(
  { Successful = [], Failed = [], onlyTry }: Partial<SendMessageBatchResult> & { onlyTry: boolean },
  entryId: string,
): SendOutcome {
  const accepted = Successful.find(({ Id }) => Id === entryId);
  if (accepted !== undefined) return { kind: "accepted", messageId: accepted.MessageId ?? "" };
  const failed = Failed.find(({ Id }) => Id === entryId);
  if (failed === undefined) {
    return { kind: "unknown", reason: "SQS answered, but not for this message" };
  }
  const reason = `${failed.Code}: ${failed.Message ?? "no message"}`;
  return { kind: onlyTry && failed.SenderFault === true ? "refused" : "unknown", reason };
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
