import {
  type BatchResultErrorEntry,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SendMessageBatchResult,
  type SendMessageBatchResultEntry,
  type SQSClient,
  SQSServiceException,
} from "@aws-sdk/client-sqs";
import { isOffset } from "../../core/wire/offset.ts";
import type { OutgoingMessage } from "../../core/wire/outgoing.ts";
import { messageFields } from "../message-fields.ts";

/** What one try of sending came to for one message. */
export type SendOutcome =
  | { readonly kind: "accepted"; readonly offset: string; readonly messageId: string | undefined }
  /** SQS does not have it, and would refuse it again. */
  | { readonly kind: "refused"; readonly reason: string }
  /** SQS may have it. The same message may be sent again: its de-duplication id makes it one. */
  | { readonly kind: "unknown"; readonly reason: string };

export type QueueAddress = { readonly client: SQSClient; readonly queueUrl: string };

/** Sends at most 10 messages in one request and gives each its outcome, in their order. Never
 *  throws: a request that failed is an outcome of each of its messages. */
export async function sendBatch(
  { client, queueUrl }: QueueAddress,
  messages: readonly OutgoingMessage[],
  abortSignal: AbortSignal,
): Promise<readonly SendOutcome[]> {
  try {
    const command = new SendMessageBatchCommand({
      QueueUrl: queueUrl,
      Entries: messages.map(entryOf),
    });
    const result = await client.send(command, { abortSignal });
    return messages.map((_, index) => outcomeIn(result, String(index)));
  } catch (error) {
    const outcome = outcomeOfError(error, abortSignal);
    return messages.map(() => outcome);
  }
}

function entryOf(message: OutgoingMessage, index: number): SendMessageBatchRequestEntry {
  return { Id: String(index), ...messageFields(message) };
}

function outcomeIn(
  { Successful, Failed }: Partial<SendMessageBatchResult>,
  entryId: string,
): SendOutcome {
  const failed = Failed?.find(({ Id }) => Id === entryId);
  if (failed !== undefined) return outcomeOfEntry(failed);
  const accepted = Successful?.find(({ Id }) => Id === entryId);
  return accepted === undefined
    ? { kind: "unknown", reason: "SQS answered, but not for this entry" }
    : acceptedOutcome(accepted);
}

function acceptedOutcome({ SequenceNumber, MessageId }: SendMessageBatchResultEntry): SendOutcome {
  return isOffset(SequenceNumber)
    ? { kind: "accepted", offset: SequenceNumber, messageId: MessageId }
    : { kind: "unknown", reason: "SQS accepted it without a SequenceNumber" };
}

function outcomeOfEntry({ Code, Message, SenderFault }: BatchResultErrorEntry): SendOutcome {
  const reason = `${Code}: ${Message ?? "no message"}`;
  return SenderFault === true && !mayPass(Code)
    ? { kind: "refused", reason }
    : { kind: "unknown", reason };
}

function outcomeOfError(error: unknown, { aborted, reason: cause }: AbortSignal): SendOutcome {
  const told: unknown = aborted ? cause : error;
  const reason = told instanceof Error ? `${told.name}: ${told.message}` : String(told);
  const refused =
    error instanceof SQSServiceException &&
    error.$fault === "client" &&
    error.$retryable === undefined &&
    !mayPass(error.name);
  return { kind: refused ? "refused" : "unknown", reason };
}

/** Codes that blame the sender and yet go away by themselves. */
function mayPass(code: string | undefined): boolean {
  return /throttl|overlimit|timeout|skewed|expiredtoken|unavailable/i.test(code ?? "");
}
