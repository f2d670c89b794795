import { ServiceError } from "../http/aws-json.ts";
import type { Item } from "./dynalite-store.ts";
import { typeOf } from "./request.ts";

/** Why one action of a transaction could not be applied. */
export type CancellationReason = {
  readonly Code: "None" | "ConditionalCheckFailed" | "ValidationError";
  readonly Message?: string;
  readonly Item?: Item;
};

/** Of an action that was not to blame. */
export const NO_REASON: CancellationReason = { Code: "None" };

/** The error that cancels a transaction; one reason for each action, in their order. */
export function cancelled(reasons: readonly CancellationReason[]): ServiceError {
  const codes = reasons.map(({ Code }) => Code).join(", ");
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  // This one error of DynamoDB has its text in `Message`, where the SDK's type looks for it.
  return new ServiceError(typeOf("TransactionCanceledException"), message, {
    fields: { Message: message, CancellationReasons: reasons },
  });
}
