import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ThrottledError } from "./concurrency.ts";
import { FunctionNotFoundError, type Functions } from "./functions.ts";

/** Runs invocations of type `Event`, whose caller does not wait for the outcome. */
export type AsyncInvocations = {
  /** Accepts the event and returns its request id. */
  accept(name: string, event: string): string;
  /** Gives up the retries that wait; what runs is ended by its environment's end. */
  close(): Promise<void>;
};

// https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
const RETRY_AFTER_MS = [60_000, 120_000];
const THROTTLED_RETRY_AFTER_MS = 1000;

/** Repeats a function error as often as the function allows; a throttled one until it ran. The event
 *  is dropped where its function was deleted meanwhile. */
export function createAsyncInvocations(functions: Functions): AsyncInvocations {
  const aborter = new AbortController();
  const { signal } = aborter;
  const underWay = new Set<Promise<void>>();

  /** True if the function ran and did not fail. */
  const attempt = async (name: string, event: string, requestId: string): Promise<boolean> => {
    while (!signal.aborted) {
      try {
        const result = await functions.invoke(name, event, { waitMs: 0, requestId });
        return result.functionError === undefined;
      } catch (error) {
        if (!(error instanceof ThrottledError)) throw error;
        await delay(THROTTLED_RETRY_AFTER_MS, undefined, { signal });
      }
    }
    return false;
  };

  const run = async (name: string, event: string, requestId: string): Promise<void> => {
    const waits = RETRY_AFTER_MS.slice(0, functions.get(name).asyncRetriesMax);
    for (const waitMs of [0, ...waits]) {
      await delay(waitMs, undefined, { signal });
      if (await attempt(name, event, requestId)) return;
    }
  };

  return {
    accept(name, event): string {
      const requestId = randomUUID();
      const running = run(name, event, requestId)
        .catch((error: unknown) => {
          if (!signal.aborted && !(error instanceof FunctionNotFoundError)) throw error;
        })
        .finally(() => underWay.delete(running));
      underWay.add(running);
      return requestId;
    },
    async close(): Promise<void> {
      aborter.abort();
      await Promise.all(underWay);
    },
  };
}
