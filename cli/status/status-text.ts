import type { Backlog } from "../../lambdas/core/backlog.ts";
import { consumerText, replayText } from "../consumer/consumer-text.ts";
import { attemptsAllowed } from "../letters/attempts-allowed.ts";
import { groupTable } from "../letters/group-table.ts";
import { ageText, grouped, remarksOn } from "../letters/letters-text.ts";
import { formatBytes } from "../terminal/bytes.ts";
import { formatDuration } from "../terminal/duration.ts";
import { printable } from "../terminal/printable.ts";
import { tableOf } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { AlarmState } from "./alarm-states.ts";
import { nextTryOf, nextTryText } from "./next-try.ts";
import type { StatusReport } from "./status-report.ts";

/** The report as people read it: the verdict first, the next command last. */
export function statusText(report: StatusReport, terminal: Terminal): string {
  const { verdict, location, nowMs, backlog, alarms, next } = report;
  return [
    `${terminal.paint(verdict.level, verdict.level.toUpperCase())} ${verdict.cause}`,
    terminal.paint("quiet", `Backlog ${location.name} in ${location.region}`),
    sizeText(backlog),
    `Alarms: page ${alarmText(alarms.page, nowMs)}, warn ${alarmText(alarms.warn, nowMs)}`,
    ...interventionLines(report),
    ...blockedLines(report, terminal),
    ...letterLines(report, terminal),
    `Next: ${next ?? "nothing to do"}`,
  ].join("\n");
}

function sizeText({ count, bytes, oldestAgeMs }: Backlog): string {
  const size = bytes === undefined ? "bytes unknown" : `${formatBytes(bytes)} (estimate)`;
  const records = `${grouped(count)} ${count === 1 ? "record" : "records"}`;
  return `Waiting: ${records}, ${size}, oldest ${formatDuration(oldestAgeMs)}`;
}

const STATES: Readonly<Record<AlarmState["state"], string>> = {
  ok: "is ok",
  alarm: "is on",
  "insufficient-data": "has no data",
  unknown: "is not known",
};

function alarmText({ state, sinceMs }: AlarmState, nowMs: number): string {
  const since =
    state === "alarm" && sinceMs !== undefined ? ` since ${ageText(sinceMs, nowMs)}` : "";
  return `${STATES[state]}${since}`;
}

/** Partitions shown; the JSON form has all of them. */
const ROWS = 10;

/** Only what is not as it always is. */
function interventionLines({
  interventions: { consumer, replay },
  location: { name },
  nowMs,
}: StatusReport): readonly string[] {
  const usual = consumer.feeding === "on" && consumer.pause === undefined;
  return [
    ...(usual ? [] : [consumerText(consumer, name, nowMs)]),
    ...(replay === undefined ? [] : [replayText(replay, nowMs)]),
  ];
}

function blockedLines(
  { backlog: { blocked }, location, nowMs }: StatusReport,
  terminal: Terminal,
): readonly string[] {
  const { partitions, maxAttempts } = location;
  if (blocked.length === 0) return ["Blocked: no partition waits for a record that failed"];
  const title = `Blocked: ${grouped(blocked.length)} of ${grouped(partitions)} partitions, oldest first`;
  const table = tableOf(
    [
      { title: "partition", align: "right" },
      { title: "age", align: "right" },
      { title: "attempts", align: "right" },
      { title: "head" },
      { title: "key" },
      { title: "next try" },
      { title: "last reason" },
    ],
    blocked
      .slice(0, ROWS)
      .map((head) => [
        String(head.partition),
        formatDuration(head.ageMs),
        `${head.attempts} of ${attemptsAllowed(head.generation, maxAttempts)}`,
        printable(head.id),
        printable(head.key),
        nextTryText(nextTryOf(head, location, nowMs), nowMs),
        printable(head.reason ?? "not recorded: the process ended, or it is being handled now"),
      ]),
    { width: terminal.width },
  );
  return [terminal.paint("title", title), table, ...moreText(blocked.length, "partitions")];
}

function letterLines(
  { letters, groups, nowMs, backlog, location }: StatusReport,
  terminal: Terminal,
): readonly string[] {
  if (backlog.letters === 0 && groups.length === 0) {
    return ["Dead letters: none", ...remarksOn(letters, location.name)];
  }
  const expiry =
    backlog.nearestExpiryMs === undefined
      ? ""
      : `, the first expires in ${formatDuration(backlog.nearestExpiryMs)}`;
  const title = terminal.paint("title", `Dead letters: ${grouped(backlog.letters)}${expiry}`);
  const table =
    groups.length === 0 ? [] : [groupTable(groups.slice(0, ROWS), nowMs, terminal.width)];
  return [
    title,
    ...table,
    ...moreText(groups.length, "groups"),
    ...remarksOn(letters, location.name),
  ];
}

function moreText(count: number, what: string): readonly string[] {
  return count > ROWS ? [`  and ${grouped(count - ROWS)} more ${what}`] : [];
}
