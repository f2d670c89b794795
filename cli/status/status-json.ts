import type { Blocked } from "../../lambdas/core/backlog.ts";
import { attemptsAllowed } from "../letters/attempts-allowed.ts";
import { envelopeOf, groupJson, lettersJson } from "../letters/letters-json.ts";
import { isoOf } from "../terminal/json.ts";
import type { AlarmState } from "./alarm-states.ts";
import type { StatusReport } from "./status-report.ts";

/** The report as scripts read it (docs/command.md). */
export function statusJson(report: StatusReport): Readonly<Record<string, unknown>> {
  const { location, nowMs, verdict, backlog, letters, groups, alarms, next } = report;
  return {
    ...envelopeOf("status", location, nowMs),
    level: verdict.level,
    cause: verdict.cause,
    count: backlog.count,
    bytes: backlog.bytes,
    bytesIsEstimate: backlog.bytesIsEstimate,
    oldestAgeMs: backlog.oldestAgeMs,
    oldestPartition: verdict.oldestPartition,
    partitions: location.partitions,
    maxAttempts: location.maxAttempts,
    policy: location.policy,
    blocked: backlog.blocked.map((head) => blockedJson(head, location.maxAttempts)),
    letters: {
      ...lettersJson(letters),
      nearestExpiryMs: backlog.nearestExpiryMs,
      groups: groups.map(groupJson),
    },
    alarms: { page: alarmJson(alarms.page), warn: alarmJson(alarms.warn) },
    next,
  };
}

function blockedJson(head: Blocked, maxAttempts: number): Readonly<Record<string, unknown>> {
  const { partition, id, key, attempts, generation, reason, failedAtMs, ageMs } = head;
  return {
    partition,
    id,
    key,
    attempts,
    maxAttempts: attemptsAllowed(generation, maxAttempts),
    generation,
    reason,
    failedAt: isoOf(failedAtMs),
    ageMs,
  };
}

function alarmJson({ alarm, state, sinceMs }: AlarmState): Readonly<Record<string, unknown>> {
  return { alarm, state, since: isoOf(sinceMs) };
}
