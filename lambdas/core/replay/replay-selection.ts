import type { LedgerItem } from "../ledger.ts";
import { classify, type LetterClass } from "./letter-class.ts";
import { makePlan, type PlanCounts } from "./plan-replay.ts";
import type { Letter } from "./replay-letter.ts";
import { plannedRecords } from "./replay-plan.ts";
import type { ReplayPorts } from "./replay-ports.ts";
import type { ReplayRequest } from "./replay-request.ts";
import type { Left } from "./replay-result.ts";
import { answerOf } from "./replay-unavailable.ts";

/** The letters or what became of them differ from the plan that the run is held to; nothing was
 *  touched. */
export class ReplayPlanChangedError extends Error {
  override readonly name = "ReplayPlanChangedError";
}

/** Records that the ledger lists and a run wants. */
export type Selection = {
  /** Oldest first. */
  readonly planned: readonly LedgerItem[];
  /** Records whose letters stay, and why. */
  readonly left: Map<string, LetterClass>;
  /** Classes of all listed records that match; undefined where the request is not that careful. */
  readonly classes: ReadonlyMap<string, LetterClass> | undefined;
};

type SelectionPorts = Pick<ReplayPorts, "ledger" | "clock" | "settings">;

/**
 * A request that names a plan, or says what is to be done with overtaken letters, leaves letters that
 * are held behind others, and overtaken ones unless it wants them.
 * @throws ReplayPlanChangedError, ReplayUnavailableError where the ledger fails.
 */
export async function selectRecords(
  request: ReplayRequest,
  ports: SelectionPorts,
): Promise<Selection> {
  const { filter, overtaken, plan } = request;
  if (plan === undefined && overtaken === undefined) {
    const planned = await answerOf("the ledger", plannedRecords(request, ports.ledger));
    return { planned, left: new Map(), classes: undefined };
  }
  const wanted = { filter, overtaken, limit: plan?.limit };
  const made = await answerOf("the ledger", makePlan(wanted, ports));
  if (plan !== undefined && plan.digest !== made.digest) throw planChanged(made.counts);
  const { chosen, classes } = made;
  const left = new Map([...classes].filter(([, one]) => stays(one, request)));
  return { planned: chosen.filter(({ id }) => !left.has(id)), left, classes };
}

/**
 * Of letters in hand, those that may go out: letters that the ledger does not list have no class yet.
 * A run that is held to a plan leaves them to the next one.
 * @throws ReplayUnavailableError where the ledger fails.
 */
export async function freeLetters(
  letters: readonly Letter[],
  { planned, left, classes }: Selection,
  request: ReplayRequest,
  ports: SelectionPorts,
): Promise<readonly Letter[]> {
  if (classes === undefined) return letters;
  const unlisted = letters.filter(({ record }) => !classes.has(record.id));
  if (request.plan === undefined && unlisted.length > 0) {
    const { ledger, settings, clock } = ports;
    const facts = { ledger, settings, nowMs: clock.nowMs() };
    const items = unlisted.map(itemOf);
    const found = await answerOf("the ledger", classify(items, [...planned, ...items], facts));
    for (const [id, one] of found) if (stays(one, request)) left.set(id, one);
  }
  const isNew = new Set(request.plan === undefined ? [] : unlisted);
  return letters.filter((letter) => !isNew.has(letter) && !left.has(letter.record.id));
}

/** How many letters stay, by why. */
export function leftOf({ left }: Selection, cannotRun: number): Left {
  const kinds = Map.groupBy(left.values(), ({ kind }) => kind);
  return {
    overtaken: kinds.get("overtaken")?.length ?? 0,
    held: kinds.get("held")?.length ?? 0,
    cannotRun,
  };
}

function stays({ kind }: LetterClass, { overtaken = true }: ReplayRequest): boolean {
  return kind === "held" || (kind === "overtaken" && !overtaken);
}

function itemOf({ record, reason, failedAtMs, attempts, delivery }: Letter): LedgerItem {
  return {
    ...record,
    reason,
    failedAtMs,
    attempts,
    attemptId: undefined,
    state: "dead",
    messageId: delivery.messageId,
  };
}

function planChanged(counts: PlanCounts): ReplayPlanChangedError {
  const { ready, overtaken, applied, cannotRun, held } = counts;
  return new ReplayPlanChangedError(
    `Expected the letters to be as they were when the plan was made, but they differ: now ${ready} are ready, ${overtaken} overtaken, ${applied} applied, ${cannotRun} cannot run and ${held} are held. Nothing was touched; make a plan again and look at it`,
  );
}
