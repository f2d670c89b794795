import type { ReplayRequest } from "./replay-request.ts";
import type { ReplayResult } from "./replay-result.ts";

/** What the log keeps of a run: who, why, what was asked, and counts. Lists are counted only: the
 *  operator has them in the answer. */
export function replayLog(
  { requestedBy, why, filter, limit, ratePerSecond }: ReplayRequest,
  { failed, errors, letters: _, selected, omitted, ...counts }: ReplayResult,
): Record<string, unknown> {
  return {
    requestedBy,
    why,
    filter,
    limit,
    ratePerSecond,
    ...counts,
    failed: failed.length + (omitted?.failed ?? 0),
    errors: errors.length + (omitted?.errors ?? 0),
    ...(selected !== undefined && { selected: selected.count }),
  };
}
