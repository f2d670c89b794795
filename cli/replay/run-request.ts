import { invokeOperation } from "../invoke-operation.ts";
import type { Run } from "./run.ts";
import type { Call } from "./run-calls.ts";
import type { RunResult } from "./run-result.ts";
import { requestFilterOf } from "./selection.ts";

/** Letters that one call takes at most where the stack does not say. */
const LETTERS_PER_CALL = 1000;

/**
 * The call of a run. The first is held to the plan's digest and goes up its ramp. The ones after it
 * go on where it ended; they leave out what failed since the plan was made, or a letter that failed
 * again in this run would be sent once more by each of them.
 */
export function callOf({ plan, options, requestedBy, location, session }: Run): Call {
  const { why, ticket, rate, ramp, stopAfterFailures } = options;
  const { failedBeforeMs = plan.takenAtMs } = plan.filter.letters;
  const later = {
    ...plan.filter,
    letters: { ...plan.filter.letters, failedBeforeMs: Math.min(failedBeforeMs, plan.takenAtMs) },
  };
  const { name, replay: functionName, replayLimit: perCall = LETTERS_PER_CALL } = location;
  return ({ first, limit }) =>
    invokeOperation<RunResult>(
      session.clients.lambda,
      { name, functionName },
      {
        operation: "replay",
        requestedBy,
        why,
        ticket,
        filter: requestFilterOf(first ? plan.filter : later),
        limit: limit === undefined ? undefined : Math.min(limit, perCall),
        ratePerSecond: rate,
        overtaken: plan.overtaken,
        stopAfterFailures,
        ...(first && { plan: { digest: plan.digest, limit: plan.filter.limit }, ramp }),
      },
    );
}
