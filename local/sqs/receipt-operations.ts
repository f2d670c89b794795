import type { Operation } from "../http/aws-json.ts";
import { type BatchEntry, type BatchResult, checkBatch, runBatch } from "./batch.ts";
import { type Engine, queueAt } from "./engine.ts";
import { changeVisibility, deleteByHandle } from "./receipts.ts";

type Receipt = {
  readonly ReceiptHandle?: string;
  readonly VisibilityTimeout?: number;
};
type Input = Receipt & { readonly QueueUrl?: string };
type BatchInput = {
  readonly QueueUrl?: string;
  readonly Entries?: readonly (Receipt & BatchEntry)[];
};

/** What is done with a received message: delete and change of visibility, single and in batches. */
export function receiptOperations(engine: Engine): Readonly<Record<string, Operation>> {
  return {
    DeleteMessage({ QueueUrl, ReceiptHandle }: Input): void {
      deleteByHandle(queueAt(engine, QueueUrl), ReceiptHandle);
    },
    DeleteMessageBatch({ QueueUrl, Entries = [] }: BatchInput): BatchResult {
      const queue = queueAt(engine, QueueUrl);
      checkBatch(Entries);
      return runBatch(Entries, ({ ReceiptHandle }) => {
        deleteByHandle(queue, ReceiptHandle);
        return undefined;
      });
    },
    ChangeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout }: Input): void {
      changeVisibility(queueAt(engine, QueueUrl), ReceiptHandle, VisibilityTimeout);
    },
    ChangeMessageVisibilityBatch({ QueueUrl, Entries = [] }: BatchInput): BatchResult {
      const queue = queueAt(engine, QueueUrl);
      checkBatch(Entries);
      return runBatch(Entries, ({ ReceiptHandle, VisibilityTimeout }) => {
        changeVisibility(queue, ReceiptHandle, VisibilityTimeout);
        return undefined;
      });
    },
  };
}
