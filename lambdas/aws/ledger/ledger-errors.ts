import {
  type CancellationReason,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import type { Attributes } from "./ledger-item.ts";

/** The item that stood in a condition's way: undefined where the error is no refused condition. */
export function refusedItem(error: unknown): { readonly item: Attributes | undefined } | undefined {
  return error instanceof ConditionalCheckFailedException ? { item: error.Item } : undefined;
}

/** Why a transaction of the ledger's mark and the game's effects did not happen. */
export type Cancellation =
  /** The condition of our own mark: it is looked at first, whatever else failed. */
  | { readonly kind: "mark"; readonly item: Attributes | undefined }
  /** The game's writes were refused, and would be again. */
  | { readonly kind: "effects"; readonly reason: string }
  /** Conflict, throttle, outage, or not known: says nothing of the record. */
  | { readonly kind: "unknown" };

/** Cancellation codes that are the game's own doing; every other one may pass by itself.
 *  https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const GAME_CODES: ReadonlySet<string> = new Set([
  "ConditionalCheckFailed",
  "ValidationError",
  "ItemCollectionSizeLimitExceeded",
]);

/** The request itself is wrong, and so are the effects: all else in it is the ledger's own. */
const REFUSED_AS_WRITTEN: ReadonlySet<string> = new Set([
  "ValidationException",
  // A value of a wrong JSON type, as `{N: 5}`.
  "SerializationException",
]);

/** The SDK could not put the request into JSON: a value that holds itself, or a symbol. An error of a
 *  request that was made carries `$metadata`, whatever its kind. */
function isUnsendable(error: unknown): error is TypeError | RangeError {
  return (error instanceof TypeError || error instanceof RangeError) && !("$metadata" in error);
}

/** `markIndex` is the place of our mark among the transaction's items. */
export function cancellationOf(error: unknown, markIndex: number): Cancellation {
  if (error instanceof Error && REFUSED_AS_WRITTEN.has(error.name)) {
    return { kind: "effects", reason: `DynamoDB refused the effects: ${error.message}` };
  }
  if (isUnsendable(error)) {
    return { kind: "effects", reason: `the effects cannot be sent: ${error.message}` };
  }
  if (!(error instanceof TransactionCanceledException)) return { kind: "unknown" };
  const reasons = error.CancellationReasons ?? [];
  const mark = reasons[markIndex];
  if (mark?.Code === "ConditionalCheckFailed") return { kind: "mark", item: mark.Item };
  const failed = reasons.flatMap((reason, index) =>
    reason.Code === undefined || reason.Code === "None" ? [] : [{ index, reason }],
  );
  const first = failed[0];
  const gamesOwn = failed.every(({ reason }) => GAME_CODES.has(reason.Code ?? ""));
  if (first === undefined || !gamesOwn) return { kind: "unknown" };
  return { kind: "effects", reason: effectReason(first.reason, first.index - markIndex) };
}

function effectReason({ Code, Message }: CancellationReason, effect: number): string {
  return `effect ${effect} was refused (${Code}): ${Message ?? "no message"}`;
}
