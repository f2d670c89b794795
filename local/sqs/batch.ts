import { SQS_LIMITS } from "../../lambdas/core/limits.ts";
import { ServiceError } from "../http/aws-json.ts";
import { prefixedError } from "./sqs-errors.ts";

export type BatchEntry = { readonly Id?: string };

export type BatchResult = {
  readonly Successful: readonly object[];
  readonly Failed: readonly object[];
};

const ENTRY_ID = /^[\w-]{1,80}$/;

/** @throws ServiceError for a batch that SQS refuses as a whole. */
export function checkBatch(entries: readonly BatchEntry[] | undefined): void {
  const { batchEntries } = SQS_LIMITS;
  if (entries === undefined || entries.length === 0) {
    throw prefixedError("EmptyBatchRequest", "There should be at least one entry in the request.");
  }
  if (entries.length > batchEntries) {
    throw prefixedError(
      "TooManyEntriesInBatchRequest",
      `Maximum number of entries per request are ${batchEntries}. You have sent ${entries.length}.`,
    );
  }
  if (entries.some(({ Id }) => !ENTRY_ID.test(Id ?? ""))) {
    throw prefixedError(
      "InvalidBatchEntryId",
      "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.",
    );
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw prefixedError(
      "BatchEntryIdsNotDistinct",
      "Two or more batch entries in the request have the same Id.",
    );
  }
}

/** Runs each entry by itself, so that one that fails leaves the others done. */
export function runBatch<E extends BatchEntry>(
  entries: readonly E[],
  run: (entry: E) => object | undefined,
): BatchResult {
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...run(entry) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { queryCode, type, message } = error;
      Failed.push({ Id: entry.Id, SenderFault: true, Code: queryCode ?? type, Message: message });
    }
  }
  return { Successful, Failed };
}
