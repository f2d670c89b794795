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
  /** Those whose letters may be there, oldest first. */
  readonly planned: readonly LedgerItem[];
  /** Those whose letters SQS has deleted. One that is seen all the same is a letter like any. */
  readonly expired: readonly LedgerItem[];
  /** Records whose letters stay, and why. */
  readonly left: Map<string, LetterClass>;
  /** Classes of all listed records that match; undefined where the request is not that careful. */
  readonly classes: ReadonlyMap<string, LetterClass> | undefined;
  /** Letters that the ledger lists and the run does not want: later ones of their keys stay behind
   *  them. Empty where the request is not that careful. */
  readonly others: readonly LedgerItem[];
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
    const { living, expired } = await answerOf("the ledger", plannedRecords(request, ports));
    return { planned: living, expired, left: new Map(), classes: undefined, others: [] };
  }
  const wanted = { filter, overtaken, limit: plan?.limit };
  const made = await answerOf("the ledger", makePlan(wanted, ports));
  if (plan !== undefined && plan.digest !== made.digest) throw planChanged(made.counts);
  const { chosen, expired, classes, listed } = made;
  const left = new Map([...classes].filter(([, one]) => stays(one, request)));
  const planned = chosen.filter(({ id }) => !left.has(id));
  const others = listed.filter(({ id }) => !classes.has(id));
  return { planned, expired, left, classes, others };
}

/**
 * Of letters in hand, those that may go out. Letters that the ledger does not list have no class yet,
 * and a run that is held to a plan leaves them to the next one; nor have those that SQS should have
 * deleted, as where a retention was changed by hand.
 * @throws ReplayUnavailableError where the ledger fails.
 */
export async function freeLetters(
  letters: readonly Letter[],
  { left, classes, others }: Selection,
  request: ReplayRequest,
  ports: SelectionPorts,
): Promise<readonly Letter[]> {
  if (classes === undefined) return letters;
  const classOf = ({ record }: Letter): LetterClass["kind"] | undefined =>
    classes.get(record.id)?.kind;
  const isLeftToNext = (letter: Letter): boolean =>
    request.plan !== undefined && classOf(letter) === undefined;
  const taken = letters.filter((letter) => !isLeftToNext(letter));
  const unknown = taken.filter((letter) => (classOf(letter) ?? "expired") === "expired");
  if (unknown.length > 0) {
    const found = await answerOf("the ledger", classify(unknown.map(itemOf), others, ports));
    for (const [id, one] of found) if (stays(one, request)) left.set(id, one);
  }
  return taken.filter(({ record }) => !left.has(record.id));
}

/** How many letters stay, by why; `seen` are the ids of all that were met. */
export function leftOf(
  { left, expired }: Selection,
  { cannotRun, seen }: { readonly cannotRun: number; readonly seen: ReadonlySet<string> },
): Left {
  const kinds = Map.groupBy(left.values(), ({ kind }) => kind);
  return {
    overtaken: kinds.get("overtaken")?.length ?? 0,
    held: kinds.get("held")?.length ?? 0,
    cannotRun,
    expired: expired.filter(({ id }) => !seen.has(id)).length,
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
  const { ready, overtaken, applied, cannotRun, held, expired } = counts;
  return new ReplayPlanChangedError(
    `Expected the letters to be as they were when the plan was made, but they differ: now ${ready} are ready, ${overtaken} overtaken, ${applied} applied, ${cannotRun} cannot run, ${held} are held and ${expired} have expired. Nothing was touched; make a plan again and look at it`,
  );
}
