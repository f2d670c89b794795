import type { SQSRecord } from "aws-lambda";
import { eventParts } from "./event-parts.ts";
import { batchVerdict } from "./partial-response.ts";

export type Delivery = {
  readonly reportBatchItemFailures: boolean;
  /** Resolves to the function's answer. @throws on a function error or a throttle. */
  readonly invoke: (records: readonly SQSRecord[]) => Promise<unknown>;
  /** Deletes messages from the queue. */
  readonly remove: (records: readonly SQSRecord[]) => Promise<void>;
};

/** `failed` if nothing of at least one invocation counts; messages that the function reported as
 *  failed are part of a healthy delivery. */
export type DeliveryOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "failed"; readonly why: string };

/**
 * Invokes the function with a batch and deletes what it handled. All else stays in the queue until
 * its visibility timeout ends. Never rejects.
 */
export async function deliverBatch(
  delivery: Delivery,
  records: readonly SQSRecord[],
): Promise<DeliveryOutcome> {
  let outcome: DeliveryOutcome = { kind: "delivered" };
  const blockedGroups = new Set<string>();
  for (const part of eventParts(records)) {
    // A later part must not overtake what failed in an earlier one.
    const open = part.filter((record) => !blockedGroups.has(groupOf(record)));
    if (open.length === 0) continue;
    const { failedIds, why } = await deliverPart(delivery, open);
    for (const record of open) {
      if (failedIds.has(record.messageId)) blockedGroups.add(groupOf(record));
    }
    if (why !== undefined) outcome = { kind: "failed", why };
  }
  return outcome;
}

/** The group of a FIFO message. A standard queue's may carry a group id too, but it orders nothing:
 *  each of those is a group of its own. */
export function groupOf({ attributes, messageId }: SQSRecord): string {
  return attributes.SequenceNumber === undefined
    ? messageId
    : (attributes.MessageGroupId ?? messageId);
}

type PartOutcome = { readonly failedIds: ReadonlySet<string>; readonly why?: string };

async function deliverPart(
  { reportBatchItemFailures, invoke, remove }: Delivery,
  records: readonly SQSRecord[],
): Promise<PartOutcome> {
  const ids = new Set(records.map(({ messageId }) => messageId));
  try {
    const answer = await invoke(records);
    const verdict = batchVerdict(reportBatchItemFailures ? answer : undefined, ids);
    if (verdict.kind === "all") return { failedIds: ids, why: verdict.why };
    await remove(records.filter(({ messageId }) => !verdict.failedIds.has(messageId)));
    return { failedIds: verdict.failedIds };
  } catch (error) {
    return { failedIds: ids, why: error instanceof Error ? error.message : String(error) };
  }
}
