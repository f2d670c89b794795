import type { ActLetter, Performed } from "../acts/act.ts";
import type { ActRun } from "../acts/record-act.ts";
import { reasonOf } from "../dead-letter.ts";
import type { LedgerItem } from "../ledger.ts";
import { matchesFilter } from "../replay/replay-filter.ts";
import type { ReplayRequest } from "../replay/replay-request.ts";
import { EXPIRED, isExpired, type LetterTimes, retentionAt } from "./letter-expiry.ts";
import { letterLanes } from "./letter-lanes.ts";
import { underLease } from "./letter-lease.ts";
import { compareFailures } from "./letter-order.ts";
import type { LetterError, LetterPorts } from "./letter-ports.ts";
import type { Withheld } from "./withheld.ts";

export type DiscardRequest = Pick<ReplayRequest, "filter" | "limit" | "requestedBy" | "why">;

export type DiscardResult = {
  readonly runId: string;
  readonly discarded: readonly string[];
  readonly errors: readonly LetterError[];
  /** More letters match than the limit, or than there was time for: run again. */
  readonly truncated: boolean;
};

/**
 * Takes dead records out of the list, and their letters out of every replay. The letters stay in the
 * dead-letter queue, untouched, until SQS deletes them, and can be restored until then. Of more than
 * the limit those that failed first are taken. One that is discarded already stays so; one that SQS
 * has deleted is no letter any more.
 * @throws ReplayHeldError where a replay runs, ReplayUnavailableError where the ledger fails.
 */
export function discardLetters(
  request: DiscardRequest,
  run: ActRun,
  ports: DiscardPorts,
): Promise<Performed<DiscardResult>> {
  return underLease(request.requestedBy, run, ports, async () => {
    const { filter, limit, requestedBy: who, why } = request;
    const found = await findLetters(filter, ports);
    const taken = found.items.slice(0, limit);
    const errors = [...found.errors];
    const discarded: string[] = [...found.already];
    const mark = { who, why, actId: run.runId, atMs: ports.clock.nowMs() };
    const tried = await letterLanes(taken, run, ports.clock, async (item) => {
      const error = await discard(item, mark, ports);
      if (error === undefined) discarded.push(item.id);
      else errors.push({ id: item.id, error });
    });
    const done = new Set(discarded);
    const answer = {
      runId: run.runId,
      discarded,
      errors,
      truncated: found.items.length > limit || tried < taken.length,
    };
    return {
      answer,
      state: "done",
      counts: { discarded: discarded.length, errors: errors.length },
      letters: [
        ...taken.map((item) => actLetter(item, done)),
        ...found.already.map((id) => ({ id, outcome: "discarded before", oldReason: null })),
      ],
    };
  });
}

type DiscardPorts = Pick<LetterPorts, "ledger" | "marks" | "clock" | "settings">;

type Found = {
  readonly items: readonly LedgerItem[];
  /** Asked for by id, and discarded before. */
  readonly already: readonly string[];
  readonly errors: readonly LetterError[];
};

async function findLetters(filter: DiscardRequest["filter"], ports: DiscardPorts): Promise<Found> {
  const { ledger, marks } = ports;
  if (filter.ids === undefined) {
    const dead = await ledger.deadRecords(filter.partition);
    const living = dead.filter((item) => !hasExpired(item, ports));
    return { items: matching(living, filter), already: [], errors: [] };
  }
  const ids = [...new Set(filter.ids)];
  const [items, withheld] = await Promise.all([ledger.items(ids), marks.withheld()]);
  const marked = new Map(withheld.map((each) => [each.id, each]));
  const free = [...items.values()].filter(
    (item) => !marked.has(item.id) && !hasExpired(item, ports),
  );
  const chosen = matching(free, filter);
  const isChosen = new Set(chosen.map(({ id }) => id));
  const already = ids.filter((id) => {
    const mark = marked.get(id);
    return mark?.kind === "discarded" && !hasExpired(mark, ports);
  });
  const isDiscarded = new Set(already);
  const errors = ids
    .filter((id) => !isChosen.has(id) && !isDiscarded.has(id))
    .map((id) => ({ id, error: whyNot(items.get(id), marked.get(id), ports) }));
  return { items: chosen, already, errors };
}

function matching(
  items: readonly LedgerItem[],
  filter: DiscardRequest["filter"],
): readonly LedgerItem[] {
  return items
    .filter((item) => item.state === "dead" && matchesFilter(filter, item))
    .toSorted(compareFailures);
}

function hasExpired(letter: LetterTimes, { clock, settings }: DiscardPorts): boolean {
  return isExpired(letter, retentionAt(clock.nowMs(), settings));
}

function whyNot(
  item: LedgerItem | undefined,
  withheld: Withheld | undefined,
  ports: DiscardPorts,
): string {
  if (withheld !== undefined) {
    if (hasExpired(withheld, ports)) return EXPIRED;
    return "an edit of it was interrupted; edit it again, then discard it";
  }
  if (item === undefined) {
    return "the ledger lists no such letter; one that SQS moved is listed by `letters renew --all --expiring-within 14d`";
  }
  if (item.state === "dead") {
    return hasExpired(item, ports) ? EXPIRED : "it does not match the rest of the filter";
  }
  return item.state === "applied"
    ? "it was applied, and is no letter any more"
    : "it is in the source queue and being tried";
}

async function discard(
  item: LedgerItem,
  mark: Parameters<LetterPorts["marks"]["withhold"]>[2],
  { marks }: Pick<LetterPorts, "marks">,
): Promise<string | undefined> {
  try {
    const written = await marks.withhold(item, "discarded", mark);
    return written
      ? undefined
      : "it was replayed, purged or died again meanwhile; look at it again";
  } catch (error) {
    return `the ledger did not answer, so it may be discarded or not (${reasonOf(error)}): run again`;
  }
}

function actLetter({ id, reason }: LedgerItem, done: ReadonlySet<string>): ActLetter {
  return { id, outcome: done.has(id) ? "discarded" : "kept", oldReason: reason ?? null };
}
