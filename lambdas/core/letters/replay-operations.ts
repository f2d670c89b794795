import type { Performed } from "../acts/act.ts";
import type { Operation, Prepared } from "../acts/operation.ts";
import type { ActRun } from "../acts/record-act.ts";
import { planReplay, type ReplayPlan } from "../replay/plan-replay.ts";
import { replay, timesOf } from "../replay/replay.ts";
import {
  parseCancelRequest,
  parsePlanRequest,
  parseReplayRequest,
  type ReplayRequest,
} from "../replay/replay-request.ts";
import type { ReplayResult } from "../replay/replay-result.ts";
import { type Cancellation, cancelReplay, replayStatus } from "../replay/replay-status.ts";
import { countWithheld } from "./count-withheld.ts";
import { retentionAt } from "./letter-expiry.ts";
import { LetterRefusedError, type RenewalPorts } from "./letter-ports.ts";
import { parseAsked } from "./letter-request.ts";
import { withoutWithheld } from "./unwithheld-queue.ts";

/** The replay, which takes no letter that is withheld, and what belongs to it. Plans and dry runs are
 *  no acts: they write nothing. */
export function replayOperations(
  ports: RenewalPorts,
): Readonly<Record<"replay" | "plan" | "replay-status" | "cancel", Operation>> {
  return {
    plan({ ticket: _, ...fields }): Prepared {
      const request = parsePlanRequest(fields, ports.settings);
      return { kind: "reads", answer: () => planUnwithheld(request, ports) };
    },
    "replay-status": () => ({ kind: "reads", answer: () => replayStatus(ports) }),
    cancel({ runId, ...fields }): Prepared {
      const cancelled = parseCancelRequest({ runId });
      const { requestedBy: who, why, ticket } = parseAsked(fields, false);
      return {
        kind: "writes",
        request: { operation: "cancel", who, why, ticket, ...ofRun(cancelled) },
        perform: async (): Promise<Performed<Cancellation>> => {
          const answer = await cancelReplay(cancelled, ports);
          const counts = { cancelled: answer.cancelled ? 1 : 0 };
          return { answer, state: "done", counts, letters: [] };
        },
      };
    },
    replay({ ticket: given, ...fields }): Prepared {
      const request = parseReplayRequest(fields, ports.settings);
      if (request.dryRun) {
        return { kind: "reads", answer: (run) => replayUnwithheld(request, run, ports) };
      }
      const { requestedBy: who, why, filter, plan } = request;
      const { ticket } = parseAsked({ ticket: given }, false);
      return {
        kind: "writes",
        request: { operation: "replay", who, why, ticket, filter, planDigest: plan?.digest },
        perform: async (run) => performed(await replayUnwithheld(request, run, ports)),
      };
    },
  };
}

function ofRun(runId: string): {
  readonly filter: { runId: string };
  readonly planDigest: undefined;
} {
  return { filter: { runId }, planDigest: undefined };
}

/** A plan that counts no discarded letter among those that the ledger does not list. */
async function planUnwithheld(
  request: Parameters<typeof planReplay>[0],
  ports: RenewalPorts,
): Promise<ReplayPlan> {
  await refuseWithheld(request.filter.ids, ports);
  const [plan, withheld] = await Promise.all([planReplay(request, ports), ports.marks.withheld()]);
  const kept = countWithheld(withheld, {
    ...retentionAt(plan.takenAtMs, ports.settings),
    unlisted: plan.notListed,
  });
  return { ...plan, notListed: Math.max(0, plan.notListed - kept) };
}

async function replayUnwithheld(
  request: ReplayRequest,
  { runId, deadlineMs }: ActRun,
  ports: RenewalPorts,
): Promise<ReplayResult> {
  await refuseWithheld(request.filter.ids, ports);
  const { marks, settings, clock } = ports;
  const letters = withoutWithheld(ports.letters, {
    marks,
    partitions: settings.partitions,
    clock,
    untilMs: timesOf({ runId, deadlineMs }, clock.nowMs()).scan.untilMs,
  });
  try {
    return await replay(request, { runId, deadlineMs }, { ...ports, letters });
  } finally {
    await letters.release();
  }
}

/** Asked for by name, a letter that is left out without a word would look lost. */
async function refuseWithheld(
  ids: readonly string[] | undefined,
  { marks }: Pick<RenewalPorts, "marks">,
): Promise<void> {
  if (ids === undefined) return;
  const wanted = new Set(ids);
  const withheld = (await marks.withheld()).filter(({ id }) => wanted.has(id));
  if (withheld.length === 0) return;
  const named = withheld
    .slice(0, 10)
    .map(({ id, kind }) => `${id} (${kind === "editing" ? "its edit was interrupted" : kind})`);
  throw new LetterRefusedError(
    `${withheld.length} of the records are withheld from replays: ${named.join(", ")}. Nothing was touched; restore what is discarded, edit again what is being edited`,
  );
}

function performed(result: ReplayResult): Performed<ReplayResult> {
  const { replayed, skipped, failed, pending, errors, omitted, letters = [], cancelled } = result;
  return {
    answer: result,
    state: cancelled ? "cancelled" : "done",
    counts: {
      replayed,
      skipped,
      failed: failed.length + (omitted?.failed ?? 0),
      pending,
      errors: errors.length + (omitted?.errors ?? 0),
    },
    letters,
    omitted: omitted?.letters ?? 0,
  };
}
