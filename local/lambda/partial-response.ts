/** Which messages of a batch failed. */
export type BatchVerdict =
  | { readonly kind: "some"; readonly failedIds: ReadonlySet<string> }
  /** The answer cannot be understood, so nothing may be deleted. */
  | { readonly kind: "all"; readonly why: string };

/**
 * Reads a function's answer by the rules of ReportBatchItemFailures: an empty or null answer or list
 * is a success, and one entry that names no message of the batch fails the whole of it.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
 */
export function batchVerdict(answer: unknown, batchIds: ReadonlySet<string>): BatchVerdict {
  if (answer === undefined || answer === null || answer === "") return succeeded();
  if (typeof answer !== "object" || Array.isArray(answer)) {
    return { kind: "all", why: `Expected an object, got ${JSON.stringify(answer)}` };
  }
  const failures: unknown = (answer as Readonly<Record<string, unknown>>)["batchItemFailures"];
  if (failures === undefined || failures === null) return succeeded();
  if (!Array.isArray(failures)) {
    return {
      kind: "all",
      why: `Expected batchItemFailures to be a list, got ${JSON.stringify(failures)}`,
    };
  }
  return verdictOf(failures, batchIds);
}

function verdictOf(failures: readonly unknown[], batchIds: ReadonlySet<string>): BatchVerdict {
  const failedIds = new Set<string>();
  for (const failure of failures) {
    const id = (failure as { readonly itemIdentifier?: unknown } | null)?.itemIdentifier;
    if (typeof id !== "string" || !batchIds.has(id)) {
      return {
        kind: "all",
        why: `Expected an itemIdentifier of this batch, got ${JSON.stringify(failure)}`,
      };
    }
    failedIds.add(id);
  }
  return { kind: "some", failedIds };
}

function succeeded(): BatchVerdict {
  return { kind: "some", failedIds: new Set() };
}
