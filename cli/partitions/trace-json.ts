import type { BacklogLocation } from "../backlog-location.ts";
import { attemptsAllowed } from "../letters/attempts-allowed.ts";
import { nextTryJson } from "../status/blocked-json.ts";
import { isoOf } from "../terminal/json.ts";
import type { ActOnRecord } from "./acts-on-record.ts";
import type { Trace } from "./trace-report.ts";
import { nextAfterTrace } from "./trace-text.ts";

/** A trace as scripts read it (docs/command.md). */
export function traceJson(
  trace: Trace,
  location: BacklogLocation,
  nowMs: number,
): Readonly<Record<string, unknown>> {
  const { id, state, found, expiresAtMs, acts } = trace;
  return {
    id,
    state,
    source: found.kind,
    searched: found.kind === "none" ? found.searched : undefined,
    appliedAt: found.kind === "none" ? undefined : isoOf(found.appliedAtMs),
    partition: partitionIn(trace),
    withheld: trace.withheld,
    record: found.kind === "item" ? recordJson(found, location, nowMs) : undefined,
    expiresAt: isoOf(expiresAtMs),
    acts: acts.map(actJson),
    next: nextAfterTrace(trace, location),
  };
}

function partitionIn({ found }: Trace): number | undefined {
  if (found.kind === "none") return undefined;
  return found.kind === "entry" ? found.partition : found.item.partition;
}

function recordJson(
  { item }: Extract<Trace["found"], { kind: "item" }>,
  location: BacklogLocation,
  nowMs: number,
): Readonly<Record<string, unknown>> {
  const { key, offset, generation, attempts, reason, messageId, enqueuedAtMs, failedAtMs } = item;
  return {
    key,
    offset,
    generation,
    attempts,
    maxAttempts: attemptsAllowed(generation, location.maxAttempts),
    reason,
    messageId,
    enqueuedAt: isoOf(enqueuedAtMs),
    failedAt: isoOf(failedAtMs),
    nextTry: item.state === "retrying" ? nextTryJson(item, location, nowMs) : undefined,
  };
}

function actJson({ act, letter }: ActOnRecord): Readonly<Record<string, unknown>> {
  const { actId, operation, who, why, ticket, startedAtMs } = act;
  const { outcome, oldReason, newReason } = letter;
  return {
    actId,
    operation,
    who,
    why,
    ticket,
    startedAt: isoOf(startedAtMs),
    outcome,
    oldReason,
    newReason,
  };
}
