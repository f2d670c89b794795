import { SQS_LIMITS } from "../../lambdas/core/limits.ts";
import type { Operation } from "../http/aws-json.ts";
import { type BatchResult, checkBatch, runBatch } from "./batch.ts";
import { type Engine, queueAt } from "./engine.ts";
import { checkFifoIds, checkSendEntry, entryBytes, type SendEntry } from "./send-entry.ts";
import { type SendResult, sendMessage } from "./send-message.ts";
import { prefixedError } from "./sqs-errors.ts";

type SendInput = SendEntry & { readonly QueueUrl?: string };
type SendBatchInput = { readonly QueueUrl?: string; readonly Entries?: readonly SendEntry[] };

/** SendMessage and SendMessageBatch. */
export function sendOperations(engine: Engine): Readonly<Record<string, Operation>> {
  return {
    SendMessage(input: SendInput): SendResult {
      const queue = queueAt(engine, input.QueueUrl);
      checkSendEntry(queue, input);
      checkFifoIds(queue, input, { batch: false });
      return sendMessage(queue, input);
    },
    SendMessageBatch({ QueueUrl, Entries = [] }: SendBatchInput): BatchResult {
      const queue = queueAt(engine, QueueUrl);
      checkBatch(Entries);
      checkBatchBytes(Entries);
      for (const entry of Entries) checkFifoIds(queue, entry, { batch: true });
      return runBatch(Entries, (entry) => {
        checkSendEntry(queue, entry);
        return sendMessage(queue, entry);
      });
    },
  };
}

function checkBatchBytes(entries: readonly SendEntry[]): void {
  const bytes = entries.reduce((sum, entry) => sum + entryBytes(entry), 0);
  if (bytes <= SQS_LIMITS.messageBytes) return;
  throw prefixedError(
    "BatchRequestTooLong",
    `Batch requests cannot be longer than ${SQS_LIMITS.messageBytes} bytes. You have sent ${bytes} bytes.`,
  );
}
