import type { LedgerItem } from "../ledger.ts";
import { type Custody, takeCustody } from "./replay-custody.ts";
import { type Outcomes, type Watch, watchOutcomes } from "./replay-follow.ts";
import { gateOf, stoppedBy } from "./replay-gate.ts";
import { LEASE_MARGIN_MS, releaseLease, takeLease } from "./replay-lease.ts";
import type { Letter } from "./replay-letter.ts";
import { letterOutcomes, selectionOf } from "./replay-outcomes.ts";
import { type Pass, replayLetters } from "./replay-pass.ts";
import { absentLetters, selectLetters, unseenRecords } from "./replay-plan.ts";
import type { ReplayPorts } from "./replay-ports.ts";
import type { ReplayRequest } from "./replay-request.ts";
import { bounded, type ReplayResult } from "./replay-result.ts";
import { type Scan, scanLetters } from "./replay-scan.ts";
import {
  freeLetters,
  leftOf,
  type Selection as Selected,
  selectRecords,
} from "./replay-selection.ts";
import { answerOf } from "./replay-unavailable.ts";

/** One run of the replay. */
export type ReplayRun = {
  readonly runId: string;
  /** When the function will be stopped, in milliseconds since 1970. */
  readonly deadlineMs: number;
};

/**
 * Sends dead letters back to the source queue, where the consumer handles them like any record, and
 * follows what becomes of them. At every moment a letter is in the dead-letter queue, or its
 * successor was accepted by the source queue, or its record is known to be applied: a run that dies
 * anywhere, and two that run at once, lose nothing and apply nothing twice.
 * @throws ReplayHeldError where another run is at work, ReplayPlanChangedError where the letters are
 * not those of the plan any more.
 * @throws ReplayUnavailableError where a queue or the ledger fails before anything was sent.
 */
export async function replay(
  request: ReplayRequest,
  run: ReplayRun,
  ports: ReplayPorts,
): Promise<ReplayResult> {
  if (request.dryRun) return bounded(await runOnce(request, run, ports));
  let result: ReplayResult;
  try {
    await takeLease(request, run.runId, ports);
    result = await runOnce(request, run, ports);
  } catch (error) {
    // Also where taking it failed: the write may have happened all the same.
    await releaseLease(run.runId, ports);
    throw error;
  }
  const errors = [...result.errors, ...(await releaseLease(run.runId, ports))];
  return bounded({ ...result, errors });
}

async function runOnce(
  request: ReplayRequest,
  run: ReplayRun,
  ports: ReplayPorts,
): Promise<ReplayResult> {
  const times = timesOf(run, ports.clock.nowMs());
  const custody = takeCustody(ports.letters);
  try {
    const selected = await selectRecords(request, ports);
    const { planned } = selected;
    const scanning = scanLetters(request, selected, times.scan, custody, ports);
    const scan = await answerOf("a queue or the ledger", scanning);
    const unseen = await answerOf("the ledger", unseenRecords(planned, scan.seen, ports.ledger));
    return await act(request, { run, selected, scan, unseen, endMs: times.endMs }, custody, ports);
  } finally {
    await custody.giveBack([]);
  }
}

/** Half of the time at most goes into the scan. The rest is for sending and following, but for a
 *  tenth or 20 seconds in which letters are given back and the answer is made. */
export function timesOf(
  { deadlineMs }: ReplayRun,
  nowMs: number,
): { readonly scan: { untilMs: number; hiddenUntilMs: number }; readonly endMs: number } {
  const leftMs = deadlineMs - nowMs;
  const endMs = deadlineMs - Math.min(20_000, leftMs / 10);
  const untilMs = nowMs + (endMs - nowMs) / 2;
  return { scan: { untilMs, hiddenUntilMs: deadlineMs + LEASE_MARGIN_MS / 2 }, endMs };
}

type Found = {
  readonly run: ReplayRun;
  readonly selected: Selected;
  readonly scan: Scan;
  readonly unseen: readonly LedgerItem[];
  readonly endMs: number;
};

async function act(
  request: ReplayRequest,
  { run, selected, scan, unseen, endMs }: Found,
  custody: Custody,
  ports: ReplayPorts,
): Promise<ReplayResult> {
  const free = await freeLetters(scan.letters, selected, request, ports);
  const { partitions, leftAlone } = selectLetters(free, scan.complete ? [] : unseen);
  const absent = scan.complete
    ? await answerOf(
        "the ledger",
        absentLetters(request, { unseen, expired: selected.expired }, scan.seen, ports.ledger),
      )
    : [];
  await custody.giveBack(partitions.flat().map(({ delivery }) => delivery));
  const watch = watchOutcomes(ports);
  const gate = gateOf(request, { runId: run.runId, untilMs: endMs }, watch, ports);
  const times = { runId: run.runId, untilMs: endMs, gate };
  const pass = await replayLetters(partitions, request, times, custody, ports);
  await custody.giveBack([]);
  const outcomes = await outcomesOf(pass, request, endMs, watch);
  const stopped = stoppedBy(outcomes.failed, request.stopAfterFailures);
  return {
    runId: run.runId,
    dryRun: request.dryRun,
    examined: scan.examined,
    replayed: outcomes.replayed.length,
    skipped: pass.skipped.length,
    failed: outcomes.failed.map(({ id, key, reason }) => ({ id, key, reason })),
    pending: outcomes.pending.length,
    errors: [...scan.errors, ...absent, ...pass.errors, ...outcomes.errors],
    truncated: isTruncated(scan, pass, leftAlone) || isLeftToNext(free, scan, request),
    left: leftOf(selected, { cannotRun: pass.cannotRun, seen: scan.seen }),
    ...(request.dryRun
      ? { selected: selectionOf(pass.sent) }
      : { letters: letterOutcomes(pass, outcomes, scan) }),
    ...(stopped && { stopped }),
    ...(gate.isCancelled() && { cancelled: true }),
  };
}

async function outcomesOf(
  { sent }: Pass,
  { dryRun }: ReplayRequest,
  endMs: number,
  watch: Watch,
): Promise<Outcomes> {
  if (!dryRun) await watch.follow(sent, endMs);
  return watch.outcomes();
}

/** A run that is held to a plan leaves letters that the ledger did not list. */
function isLeftToNext(
  free: readonly Letter[],
  { letters }: Scan,
  { plan }: ReplayRequest,
): boolean {
  return plan !== undefined && free.length < letters.length;
}

function isTruncated(scan: Scan, pass: Pass, leftAlone: boolean): boolean {
  return !(scan.complete || scan.allIdsSeen) || scan.cut || leftAlone || pass.stopped;
}
