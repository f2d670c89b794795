import type { IncomingMessage } from "node:http";
import type { Operation } from "../http/aws-json.ts";
import { type Engine, queueAt } from "./engine.ts";
import { waitForMessages } from "./long-poll.ts";
import { type Message, millisecondsOf, type Queue } from "./queue.ts";
import { checkVisibilityTimeout } from "./receipts.ts";
import { recallAttempt, rememberAttempt } from "./receive-attempt.ts";
import { type ReceivedMessage, receivedMessage } from "./received-message.ts";
import { invalidValue } from "./sqs-errors.ts";
import { type Take, takeMessages } from "./take-messages.ts";

type ReceiveInput = {
  readonly QueueUrl?: string;
  readonly MaxNumberOfMessages?: number;
  readonly WaitTimeSeconds?: number;
  readonly VisibilityTimeout?: number;
  readonly ReceiveRequestAttemptId?: string;
  readonly AttributeNames?: readonly string[];
  readonly MessageSystemAttributeNames?: readonly string[];
  readonly MessageAttributeNames?: readonly string[];
};

const MOST_MESSAGES = 10;
const LONGEST_WAIT_SECONDS = 20;

/** ReceiveMessage, short and long. */
export function receiveOperation(engine: Engine): Readonly<Record<string, Operation>> {
  return {
    async ReceiveMessage(
      input: ReceiveInput,
      request: IncomingMessage,
    ): Promise<{ readonly Messages?: readonly ReceivedMessage[] }> {
      const queue = queueAt(engine, input.QueueUrl);
      const take = takeOf(queue, input);
      const waitMs = waitMsOf(queue, input);
      const messages = await receive(queue, take, waitMs, input.ReceiveRequestAttemptId, request);
      if (messages.length === 0) {
        queue.counters.emptyReceives += 1;
        return {};
      }
      const systemNames = [
        ...(input.AttributeNames ?? []),
        ...(input.MessageSystemAttributeNames ?? []),
      ];
      const attributeNames = input.MessageAttributeNames ?? [];
      return {
        Messages: messages.map((message) => receivedMessage(message, systemNames, attributeNames)),
      };
    },
  };
}

async function receive(
  queue: Queue,
  take: Take,
  waitMs: number,
  attemptId: string | undefined,
  { socket }: IncomingMessage,
): Promise<readonly Message[]> {
  // Its answer would reach nobody, and the messages would be invisible for their whole timeout.
  if (socket.destroyed) return [];
  const again = recallAttempt(queue, attemptId, take.visibilityTimeoutMs);
  if (again !== undefined) return again;
  const ready = takeMessages(queue, take);
  const messages =
    ready.length > 0 || waitMs === 0 ? ready : await waitForMessages(queue, take, waitMs, socket);
  rememberAttempt(queue, attemptId, messages);
  return messages;
}

function takeOf(queue: Queue, { MaxNumberOfMessages, VisibilityTimeout }: ReceiveInput): Take {
  const maxMessages = MaxNumberOfMessages ?? 1;
  if (!(Number.isInteger(maxMessages) && maxMessages >= 1 && maxMessages <= MOST_MESSAGES)) {
    const reason = `Must be between 1 and ${MOST_MESSAGES}, if provided.`;
    throw invalidValue("MaxNumberOfMessages", maxMessages, reason);
  }
  if (VisibilityTimeout === undefined || VisibilityTimeout === null) {
    return { maxMessages, visibilityTimeoutMs: millisecondsOf(queue, "VisibilityTimeout") };
  }
  checkVisibilityTimeout(VisibilityTimeout);
  return { maxMessages, visibilityTimeoutMs: VisibilityTimeout * 1000 };
}

function waitMsOf(queue: Queue, { WaitTimeSeconds }: ReceiveInput): number {
  if (WaitTimeSeconds === undefined || WaitTimeSeconds === null) {
    return millisecondsOf(queue, "ReceiveMessageWaitTimeSeconds");
  }
  const inRange = WaitTimeSeconds >= 0 && WaitTimeSeconds <= LONGEST_WAIT_SECONDS;
  if (Number.isInteger(WaitTimeSeconds) && inRange) return WaitTimeSeconds * 1000;
  const reason = `Must be >= 0 and <= ${LONGEST_WAIT_SECONDS}, if provided.`;
  throw invalidValue("WaitTimeSeconds", WaitTimeSeconds, reason);
}
