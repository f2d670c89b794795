import { AssertionError } from "node:assert";
import type { Case } from "./case.ts";
import type { SqsAt } from "./sqs-at.ts";

/** Any refusal of what was asked: for requests whose error is on no record. */
export const ANY = "any refusal";

/** A server that does not know the operation has refused nothing. */
const UNKNOWN_OPERATION: readonly string[] = ["InvalidAction", "UnknownOperation"];

/**
 * A case in which SQS refuses a request.
 * @param code the error's name without `AWS.SimpleQueueService.` and `Exception`, or {@link ANY}.
 */
export function refuses(
  title: string,
  code: string,
  request: (at: SqsAt) => Promise<unknown>,
): Case {
  return {
    title,
    async ask(at) {
      const actual = await codeOf(request(at));
      const isRefused = actual !== "accepted" && !UNKNOWN_OPERATION.includes(actual);
      if (actual === code || (code === ANY && isRefused)) return;
      throw new AssertionError({ actual, expected: code });
    },
  };
}

/** @throws what is no answer of SQS's: a failure of the server or of the network. */
export async function codeOf(request: Promise<unknown>): Promise<string> {
  try {
    await request;
    return "accepted";
  } catch (error) {
    const { name, $metadata } = error as Error & {
      readonly $metadata?: { readonly httpStatusCode?: number };
    };
    const status = $metadata?.httpStatusCode ?? 500;
    if (status >= 500) throw error;
    return name.replace(/^AWS\.SimpleQueueService\./, "").replace(/Exception$/, "");
  }
}
