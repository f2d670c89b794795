import type { Clock } from "../clock.ts";
import { reasonOf } from "../dead-letter.ts";
import type { LedgerItem } from "../ledger.ts";
import { waitMs } from "./replay-pace.ts";
import type { ReplayPorts } from "./replay-ports.ts";
import type { FailedReplay, ReplayError } from "./replay-result.ts";
import type { Sent } from "./sent-letter.ts";

/** What became of the records sent, as the ledger tells. */
export type Outcomes = {
  readonly replayed: readonly Sent[];
  readonly failed: readonly FailedAgain[];
  readonly pending: readonly Sent[];
  readonly errors: readonly ReplayError[];
};

export type FailedAgain = FailedReplay & { readonly sent: Sent };

/** Watches what becomes of the records that a run sends. */
export type Watch = {
  /** Looks once at all that is open of these, the run's so far. Never throws. */
  readonly look: (sent: readonly Sent[]) => Promise<void>;
  /** Looks until no more than `open` of these are open, or time is up. Never throws: an outcome that
   *  cannot be read is pending. */
  readonly follow: (sent: readonly Sent[], untilMs: number, open?: number) => Promise<void>;
  readonly outcomes: () => Outcomes;
};

/** The first look comes soon, for most records are handled within a second; later ones are rarer. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
const WAIT_FACTOR = 1.5;

export function watchOutcomes({ ledger, clock }: Pick<ReplayPorts, "ledger" | "clock">): Watch {
  let state: Look = { open: [], replayed: [], failed: [], failure: undefined };
  let known = 0;
  const add = (sent: readonly Sent[]): void => {
    state = { ...state, open: [...state.open, ...sent.slice(known)] };
    known = Math.max(known, sent.length);
  };
  return {
    async look(sent): Promise<void> {
      add(sent);
      if (state.open.length > 0) state = await lookAgain(state, ledger);
    },
    async follow(sent, untilMs, open = 0): Promise<void> {
      add(sent);
      let delayMs = FIRST_WAIT_MS;
      while (state.open.length > open && (await waitUntil(clock, delayMs, untilMs))) {
        delayMs = Math.min(delayMs * WAIT_FACTOR, LONGEST_WAIT_MS);
        state = await lookAgain(state, ledger);
      }
    },
    outcomes(): Outcomes {
      const { open, replayed, failed, failure } = state;
      return { replayed, failed, pending: open, errors: unread(open, failure) };
    },
  };
}

type Look = {
  readonly open: readonly Sent[];
  readonly replayed: readonly Sent[];
  readonly failed: readonly FailedAgain[];
  /** Why this look saw nothing. */
  readonly failure: string | undefined;
};

async function lookAgain(before: Look, ledger: ReplayPorts["ledger"]): Promise<Look> {
  const ids = before.open.map(({ letter }) => letter.record.id);
  const items = await ledger.items(ids).catch(reasonOf);
  if (typeof items === "string") return { ...before, failure: items };
  const open: Sent[] = [];
  const failed = [...before.failed];
  const replayed = [...before.replayed];
  for (const one of before.open) {
    const outcome = outcomeOf(one, items.get(one.letter.record.id));
    if (outcome === "replayed") replayed.push(one);
    else if (outcome === "pending") open.push(one);
    else failed.push(outcome);
  }
  return { open, replayed, failed, failure: undefined };
}

function outcomeOf(sent: Sent, item: LedgerItem | undefined): "replayed" | "pending" | FailedAgain {
  const { letter, generation } = sent;
  if (item?.state === "applied") return "replayed";
  if (item?.state !== "dead" || item.generation < generation) return "pending";
  const { id, key } = letter.record;
  return { id, key, reason: item.reason ?? "not known", sent };
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
