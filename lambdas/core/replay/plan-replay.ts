import { createHash } from "node:crypto";
import { type LedgerItem, letterSinceMs } from "../ledger.ts";
import { classify, type LetterClass } from "./letter-class.ts";
import { listedOf, matchingIn } from "./replay-listed.ts";
import type { ReplayPorts } from "./replay-ports.ts";
import type { PlanRequest } from "./replay-request.ts";
import { answerOf } from "./replay-unavailable.ts";

/** What a replay would do. Times are milliseconds since 1970. */
export type ReplayPlan = {
  readonly planId: string;
  /** SHA-256 in hex over the letters but the expired ones, their classes, the filter and
   *  `overtaken`. */
  readonly digest: string;
  readonly takenAtMs: number;
  readonly backlog: string;
  /** Tells a plan of one stack from another's. */
  readonly ledger: string;
  readonly filter: PlanRequest["filter"];
  readonly limit: number | null;
  /** Whether a run of this plan sends overtaken letters. */
  readonly overtaken: boolean;
  readonly counts: PlanCounts;
  /** Ready letters of which nothing tells whether later records of their keys were applied. */
  readonly unknown: number;
  /** The first of them, oldest first and the expired ones last, at most {@link LETTERS_SHOWN}. */
  readonly letters: readonly PlannedLetter[];
  readonly omitted: number;
  /** Messages in the dead-letter queue that the ledger does not list, approximate as SQS counts. */
  readonly notListed: number;
  /** More letters match than the limit. */
  readonly truncated: boolean;
};

/** `expired` ones count towards no limit, for no run takes them. */
export type PlanCounts = Readonly<
  Record<"ready" | "overtaken" | "applied" | "cannotRun" | "held" | "expired", number>
>;

export type PlannedLetter = {
  readonly id: string;
  readonly key: string;
  readonly partition: number;
  /** Null = not known; so are the other fields that may be null. */
  readonly offset: string | null;
  readonly generation: number;
  readonly attempts: number;
  readonly reason: string | null;
  readonly failedAtMs: number | null;
  readonly enqueuedAtMs: number;
  /** When SQS deletes the letter, or deleted it. */
  readonly expiresAtMs: number | null;
  readonly class: LetterClass;
};

/** Letters of an answer: a thousand with reasons of a kilobyte fit Lambda's 6 MB. */
export const LETTERS_SHOWN = 1000;

type PlanPorts = Pick<ReplayPorts, "letters" | "ledger" | "clock" | "settings">;

/**
 * Says what a replay would do, by the ledger alone: it writes nothing and receives no letter, so that
 * none is hidden from a run and no receive is used up.
 * @throws ReplayUnavailableError where the ledger or the queue's counts cannot be read.
 */
export async function planReplay(request: PlanRequest, ports: PlanPorts): Promise<ReplayPlan> {
  const { letters, ledger, clock, settings } = ports;
  const takenAtMs = clock.nowMs();
  const made = await answerOf("the ledger", makePlan(request, ports));
  const { visible, inFlight } = await answerOf("the dead-letter queue", letters.size());
  const { digest, counts, chosen, expired, classes, listed, truncated } = made;
  const covered = [...chosen, ...expired];
  const retentionMs = settings.letterRetentionSeconds * 1000;
  return {
    planId: `plan-${new Date(takenAtMs).toISOString().replace(/[-:]|\.\d+/g, "")}-${digest.slice(0, 8)}`,
    digest,
    takenAtMs,
    backlog: settings.name,
    ledger: ledger.name,
    filter: request.filter,
    limit: request.limit ?? null,
    overtaken: request.overtaken ?? true,
    counts,
    unknown: [...classes.values()].filter((one) => one.kind === "ready" && one.overtaken).length,
    letters: covered
      .slice(0, LETTERS_SHOWN)
      .map((item) => plannedLetter(item, classes.get(item.id) ?? READY, retentionMs)),
    omitted: Math.max(0, covered.length - LETTERS_SHOWN),
    notListed: Math.max(0, visible + inFlight - listed.length),
    truncated,
  };
}

/** A plan before it is shown. */
export type MadePlan = {
  readonly digest: string;
  readonly counts: PlanCounts;
  /** Oldest first. */
  readonly chosen: readonly LedgerItem[];
  /** Those that match and whose letters SQS has deleted, oldest first. */
  readonly expired: readonly LedgerItem[];
  /** Of both, by id. */
  readonly classes: ReadonlyMap<string, LetterClass>;
  /** Letters that the ledger lists, those that do not match included. */
  readonly listed: readonly LedgerItem[];
  readonly truncated: boolean;
};

/** @throws where the ledger fails. */
export async function makePlan(
  request: PlanRequest,
  { ledger, clock, settings }: Omit<PlanPorts, "letters">,
): Promise<MadePlan> {
  const { filter, limit = Number.POSITIVE_INFINITY, overtaken = true } = request;
  const listed = listedOf(await ledger.deadRecords(undefined), { clock, settings });
  const { living, expired } = matchingIn(listed, filter);
  const chosen = living.slice(0, limit);
  const found = await classify(chosen, listed.living, { ledger, settings });
  const classes = new Map([...found, ...expired.map(({ id }) => [id, EXPIRED] as const)]);
  return {
    digest: digestOf(chosen, classes, { filter, overtaken }),
    counts: countsOf(classes),
    chosen,
    expired,
    classes,
    listed: listed.living,
    truncated: chosen.length < living.length,
  };
}

const READY: LetterClass = { kind: "ready" };
const EXPIRED: LetterClass = { kind: "expired" };

function countsOf(classes: ReadonlyMap<string, LetterClass>): PlanCounts {
  const kinds = Map.groupBy(classes.values(), ({ kind }) => kind);
  const count = (kind: LetterClass["kind"]): number => kinds.get(kind)?.length ?? 0;
  return {
    ready: count("ready"),
    overtaken: count("overtaken"),
    applied: count("applied"),
    cannotRun: count("cannot-run"),
    held: count("held"),
    expired: count("expired"),
  };
}

function digestOf(
  chosen: readonly LedgerItem[],
  classes: ReadonlyMap<string, LetterClass>,
  asked: { readonly filter: PlanRequest["filter"]; readonly overtaken: boolean },
): string {
  const lines = chosen
    .map(({ id, generation }) => JSON.stringify([id, generation, classes.get(id)?.kind]))
    .toSorted();
  const filter = Object.entries(asked.filter)
    .filter(([, value]) => value !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  const text = JSON.stringify([lines, filter, asked.overtaken]);
  return createHash("sha256").update(text).digest("hex");
}

function plannedLetter(item: LedgerItem, kind: LetterClass, retentionMs: number): PlannedLetter {
  const { id, key, partition, offset, generation, attempts, reason, failedAtMs, enqueuedAtMs } =
    item;
  const sinceMs = letterSinceMs(item);
  return {
    id,
    key,
    partition,
    offset: offset ?? null,
    generation,
    attempts,
    reason: reason ?? null,
    failedAtMs: failedAtMs ?? null,
    enqueuedAtMs,
    expiresAtMs: sinceMs === undefined ? null : sinceMs + retentionMs,
    class: kind,
  };
}
