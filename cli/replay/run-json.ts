import { envelopeOf } from "../letters/letters-json.ts";
import { isoOf } from "../terminal/json.ts";
import type { Run } from "./run.ts";
import type { RunReport } from "./run-report.ts";
import { selectionJson } from "./selection.ts";

/** What a run came to as scripts read it (docs/command.md). */
export function runJson(
  { plan, options, requestedBy, location, session }: Run,
  report: RunReport,
  next: string,
): Readonly<Record<string, unknown>> {
  const { outcome, runIds, planned, replayed, skipped, failed, pending, left } = report;
  const { failures, letters, omitted, errors, stopped, truncated, error } = report;
  return {
    ...envelopeOf("replay-run", location, session.nowMs),
    requestedBy,
    why: options.why,
    ticket: options.ticket,
    plan: { planId: plan.planId, digest: plan.digest, takenAt: isoOf(plan.takenAtMs) },
    filter: selectionJson(plan.filter),
    limit: plan.filter.limit,
    overtaken: plan.overtaken,
    ...{ outcome, runIds, planned, replayed, skipped, failed, pending, left },
    ...{ failures, letters, omitted, errors, stopped, truncated, error, next },
  };
}
