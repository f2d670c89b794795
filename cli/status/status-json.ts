import { consumerJson, runningReplayJson } from "../consumer/consumer-text.ts";
import { envelopeOf, groupJson, lettersJson } from "../letters/letters-json.ts";
import { isoOf } from "../terminal/json.ts";
import type { AlarmState } from "./alarm-states.ts";
import { blockedJson } from "./blocked-json.ts";
import type { StatusReport } from "./status-report.ts";

/** The report as scripts read it (docs/command.md). */
export function statusJson(report: StatusReport): Readonly<Record<string, unknown>> {
  const { location, nowMs, verdict, backlog, letters, groups, alarms, next } = report;
  const { consumer, replay } = report.interventions;
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
    blocked: backlog.blocked.map((head) => blockedJson(head, location, nowMs)),
    letters: {
      ...lettersJson(letters),
      nearestExpiryMs: backlog.nearestExpiryMs,
      groups: groups.map(groupJson),
    },
    consumer: consumerJson(consumer),
    replay: replay && runningReplayJson(replay),
    alarms: { page: alarmJson(alarms.page), warn: alarmJson(alarms.warn) },
    next,
  };
}

function alarmJson({ alarm, state, sinceMs }: AlarmState): Readonly<Record<string, unknown>> {
  return { alarm, state, since: isoOf(sinceMs) };
}
