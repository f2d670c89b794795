import type { Clock } from "../clock.ts";
import { reasonOf } from "../dead-letter.ts";
import type { LedgerItem } from "../ledger.ts";
import { waitMs } from "./replay-pace.ts";
import type { Sent } from "./replay-pass.ts";
import type { ReplayPorts } from "./replay-ports.ts";
import type { FailedReplay, ReplayError } from "./replay-result.ts";

/** What became of the records sent, as the ledger tells. */
export type Outcomes = {
  readonly replayed: number;
  readonly failed: readonly FailedReplay[];
  readonly pending: number;
  readonly errors: readonly ReplayError[];
};

/** The first look comes soon, for most records are handled within a second; later ones are rarer. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
const WAIT_FACTOR = 1.5;

/**
 * Looks until every record sent is applied or dead again, or time is up. What is still open then is
 * in the source queue. Never throws: an outcome that cannot be read is pending.
 */
export async function followOutcomes(
  sent: readonly Sent[],
  untilMs: number,
  { ledger, clock }: Pick<ReplayPorts, "ledger" | "clock">,
): Promise<Outcomes> {
  let look: Look = { open: sent, replayed: 0, failed: [], failure: undefined };
  let delayMs = FIRST_WAIT_MS;
  while (look.open.length > 0 && (await waitUntil(clock, delayMs, untilMs))) {
    delayMs = Math.min(delayMs * WAIT_FACTOR, LONGEST_WAIT_MS);
    look = await lookAgain(look, ledger);
  }
  const { open, replayed, failed, failure } = look;
  return { replayed, failed, pending: open.length, errors: unread(open, failure) };
}

type Look = {
  readonly open: readonly Sent[];
  readonly replayed: number;
  readonly failed: readonly FailedReplay[];
  /** Why this look saw nothing. */
  readonly failure: string | undefined;
};

async function lookAgain(before: Look, ledger: ReplayPorts["ledger"]): Promise<Look> {
  const ids = before.open.map(({ letter }) => letter.record.id);
  const items = await ledger.items(ids).catch(reasonOf);
  if (typeof items === "string") return { ...before, failure: items };
  const open: Sent[] = [];
  const failed = [...before.failed];
  let { replayed } = before;
  for (const one of before.open) {
    const outcome = outcomeOf(one, items.get(one.letter.record.id));
    if (outcome === "replayed") replayed += 1;
    else if (outcome === "pending") open.push(one);
    else failed.push(outcome);
  }
  return { open, replayed, failed, failure: undefined };
}

function outcomeOf(
  { letter, generation }: Sent,
  item: LedgerItem | undefined,
): "replayed" | "pending" | FailedReplay {
  if (item?.state === "applied") return "replayed";
  if (item?.state !== "dead" || item.generation < generation) return "pending";
  const { id, key } = letter.record;
  return { id, key, reason: item.reason ?? "not known" };
}

/** False where time is up: nothing is waited for beyond it. */
async function waitUntil(clock: Clock, delayMs: number, untilMs: number): Promise<boolean> {
  const leftMs = untilMs - clock.nowMs();
  if (leftMs <= 0) return false;
  await waitMs(clock, Math.min(delayMs, leftMs));
  return true;
}

function unread(open: readonly Sent[], failure: string | undefined): readonly ReplayError[] {
  const first = open[0];
  if (first === undefined || failure === undefined) return [];
  return [
    {
      id: first.letter.record.id,
      error: `the outcomes of ${open.length} letters could not be read, this one's first (${failure}); they are in the source queue`,
    },
  ];
}
