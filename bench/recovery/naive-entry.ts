import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { handle } from "./poison-handler.ts";

/** Stops a group at its first failure, reports what stays, and leaves counting to the redrive policy. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const stopped = new Set<string | undefined>();
  const failed: string[] = [];
  for (const { messageId, attributes, messageAttributes } of Records) {
    const group = attributes.MessageGroupId;
    try {
      if (stopped.has(group)) throw new Error("behind a failure");
      await handle({ key: messageAttributes["key"]?.stringValue ?? "" });
    } catch {
      stopped.add(group);
      failed.push(messageId);
    }
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
