import { createHash } from "node:crypto";
import { ServiceError } from "../http/aws-json.ts";
import { typeOf } from "./request.ts";

/** How long DynamoDB knows a client request token. */
const MEMORY_MS = 600_000;

/** Makes a transaction that is sent again with its token happen once. */
export type RequestTokens<T> = {
  /**
   * Runs, or answers with the outcome of the run that had the same token; one that failed is run
   * again. A second request waits for a first one that is still running, where DynamoDB answers
   * TransactionInProgressException. Without a token it always runs.
   * @throws ServiceError IdempotentParameterMismatchException where the token came with another request.
   */
  once(token: string | undefined, request: unknown, run: () => Promise<T>): Promise<T>;
};

/** Tokens are kept in memory only: a restart of the server forgets them. */
export function createRequestTokens<T>(now: () => number): RequestTokens<T> {
  const known = new Map<string, Known<T>>();
  return {
    async once(token, request, run): Promise<T> {
      if (token === undefined) return run();
      forgetOld(known, now() - MEMORY_MS);
      const digest = createHash("sha256").update(JSON.stringify(request)).digest("base64");
      const earlier = known.get(token);
      if (earlier !== undefined && earlier.digest !== digest) throw mismatch();
      const succeeded = await earlier?.outcome.then(toFound, () => undefined);
      if (succeeded !== undefined) return succeeded.value;
      // While this request waited for a failure, another may have begun the next run.
      if (known.has(token)) return this.once(token, request, run);
      const outcome = run();
      known.set(token, { digest, outcome, atMs: now() });
      try {
        return await outcome;
      } catch (error) {
        known.delete(token);
        throw error;
      }
    },
  };
}

type Known<T> = {
  readonly digest: string;
  readonly outcome: Promise<T>;
  readonly atMs: number;
};

function toFound<T>(value: T): { readonly value: T } {
  return { value };
}

/** Insertion order is the order of time. */
function forgetOld<T>(known: Map<string, Known<T>>, beforeMs: number): void {
  for (const [token, { atMs }] of known) {
    if (atMs >= beforeMs) return;
    known.delete(token);
  }
}

function mismatch(): ServiceError {
  return new ServiceError(
    typeOf("IdempotentParameterMismatchException"),
    "The request uses the same client token as a previous, but non-identical request. Do not reuse a client token with different requests, unless the requests are identical",
  );
}
