import { listActs } from "../../lambdas/aws/ledger/acts-ledger.ts";
import { type Act, standingOf } from "../../lambdas/core/acts/act.ts";
import type { RunningLease } from "../../lambdas/core/replay/replay-ports.ts";
import { locateBacklog } from "../backlog-location.ts";
import { runningReplayJson } from "../consumer/consumer-text.ts";
import { readLedgerLocks } from "../consumer/ledger-locks.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { envelopeOf } from "../letters/letters-json.ts";
import { ageText, untilText } from "../letters/letters-text.ts";
import { ledgerAt, type Session } from "../session.ts";
import { isoOf, jsonOf } from "../terminal/json.ts";
import { formatMoment } from "../terminal/moment.ts";
import { printable } from "../terminal/printable.ts";
import { shellQuote } from "../terminal/shell-quote.ts";
import { tableOf } from "../terminal/table.ts";

/** `replay status [name]`: who replays now, since when and until when at the latest, and the last
 *  runs. */
export async function replayStatus(name: string, session: Session): Promise<number> {
  const { clients, terminal, json, nowMs } = session;
  const location = await locateBacklog(clients.ssm, name);
  const ledger = ledgerAt(session, location);
  const [{ replay: lease }, acts] = await Promise.all([
    readLedgerLocks(ledger),
    listActs(ledger, ACTS_READ),
  ]);
  const runs = acts.filter(({ operation }) => operation === "replay").slice(0, RUNS);
  const next =
    lease === undefined
      ? `npx backlogorder status ${name}`
      : `npx backlogorder replay cancel ${name} ${shellQuote(lease.runId)}`;
  if (json) {
    terminal.write(
      jsonOf({
        ...envelopeOf("replay-status", location, nowMs),
        running: lease && runningReplayJson(lease),
        runs: runs.map((act) => runJson(act, nowMs)),
        next,
      }),
    );
    return EXIT_CODES.ok;
  }
  terminal.write(lease === undefined ? "Nothing is being replayed." : leaseText(lease, nowMs));
  if (runs.length > 0) terminal.write(runTable(runs, nowMs, terminal.width));
  terminal.write(`Next: ${next}`);
  return EXIT_CODES.ok;
}

/** The newest acts of all kinds, among which the runs are looked for. */
const ACTS_READ = 50;

const RUNS = 5;

function leaseText(
  { runId, who, sinceMs, expiresAtMs, cancelled }: RunningLease,
  nowMs: number,
): string {
  return [
    `Run ${printable(runId)} by ${printable(who)} since ${formatMoment(sinceMs)} (${ageText(sinceMs, nowMs)}).`,
    ...(cancelled
      ? ["It was cancelled: it sends no further letter and follows those it sent."]
      : []),
    `Its lease ends at ${formatMoment(expiresAtMs)} at the latest (${untilText(expiresAtMs, nowMs)}); no other run can start before it ends.`,
  ].join("\n");
}

function runJson(act: Act, nowMs: number): Readonly<Record<string, unknown>> {
  const { actId, who, why, ticket, startedAtMs, endedAtMs, counts, error } = act;
  return {
    runId: actId,
    state: standingOf(act, nowMs),
    who,
    why,
    ticket,
    started: isoOf(startedAtMs),
    ended: isoOf(endedAtMs),
    counts,
    error,
  };
}

function runTable(runs: readonly Act[], nowMs: number, width: number | undefined): string {
  return tableOf(
    [
      { title: "run" },
      { title: "started" },
      { title: "state" },
      { title: "what happened" },
      { title: "who" },
      { title: "why" },
    ],
    runs.map((act) => [
      printable(act.actId),
      ageText(act.startedAtMs, nowMs),
      standingOf(act, nowMs),
      countsText(act),
      printable(act.who ?? "unknown"),
      printable(act.why ?? ""),
    ]),
    { width },
  );
}

function countsText({ counts }: Act): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([what, count]) => `${count} ${what}`).join(", ") || "nothing";
}
