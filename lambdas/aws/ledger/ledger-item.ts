import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { LedgerItem, LedgerState } from "../../core/ledger.ts";

export type Attributes = Record<string, AttributeValue>;

/**
 * A record item as it stands in the table, or undefined where it has expired: DynamoDB deletes
 * expired items days later and returns them until then.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html
 */
export function readLedgerItem(attributes: Attributes, nowMs: number): LedgerItem | undefined {
  if (hasExpired(attributes, nowMs)) return undefined;
  return {
    id: text(attributes, "id") ?? "",
    generation: number(attributes, "generation") ?? 0,
    attempts: number(attributes, "attempts") ?? 0,
    attemptId: text(attributes, "attemptId"),
    state: stateOf(attributes),
    messageId: text(attributes, "messageId"),
    reason: text(attributes, "reason"),
    offset: text(attributes, "offset"),
    key: text(attributes, "key") ?? "",
    partition: number(attributes, "partition") ?? 0,
    enqueuedAtMs: number(attributes, "enqueuedAt") ?? 0,
    failedAtMs: number(attributes, "failedAt"),
    letterSentAtMs: number(attributes, "letterSentAt"),
  };
}

/** Whether an item counts as absent. `expiresAt` is in whole seconds since 1970. */
export function hasExpired(attributes: Attributes, nowMs: number): boolean {
  const expiresAt = number(attributes, "expiresAt");
  return expiresAt !== undefined && expiresAt <= Math.floor(nowMs / 1000);
}

export function text(attributes: Attributes, name: string): string | undefined {
  return attributes[name]?.S;
}

export function number(attributes: Attributes, name: string): number | undefined {
  const value = attributes[name]?.N;
  return value === undefined ? undefined : Number(value);
}

function stateOf(attributes: Attributes): LedgerState {
  const state = text(attributes, "state");
  if (state === "retrying" || state === "dead" || state === "applied") return state;
  throw new RangeError(
    `Expected the ledger item of record \`${text(attributes, "id")}\` to be retrying, dead or applied, got \`${state}\`. A newer version may have written it; deploy that version`,
  );
}
