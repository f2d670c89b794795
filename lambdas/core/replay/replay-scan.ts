import type { LedgerItem } from "../ledger.ts";
import type { Delivery } from "../record.ts";
import type { Custody } from "./replay-custody.ts";
import { matchesFilter } from "./replay-filter.ts";
import { type HeldLetters, holdOldest } from "./replay-held.ts";
import { isUnmarked, type Letter, letterId, readLetter } from "./replay-letter.ts";
import { waitMs } from "./replay-pace.ts";
import type { ReplayPorts } from "./replay-ports.ts";
import { renewLetter } from "./replay-renewal.ts";
import type { ReplayRequest } from "./replay-request.ts";
import type { ReplayError } from "./replay-result.ts";

/** What a look through the dead-letter queue found. */
export type Scan = {
  /** Whether every letter was seen, as far as SQS's approximate counts tell. */
  readonly complete: boolean;
  /** Whether every letter that was asked for by id was seen. */
  readonly allIdsSeen: boolean;
  /** Letters that match and are in hand, oldest first. */
  readonly letters: readonly Letter[];
  /** Whether more letters match than are held. */
  readonly cut: boolean;
  /** Ids of all letters seen. */
  readonly seen: ReadonlySet<string>;
  readonly examined: number;
  readonly errors: readonly ReplayError[];
};

export type Wanted = {
  /** Listed records that are to be sent, oldest first. */
  readonly planned: readonly LedgerItem[];
  /** Ids of records whose letters stay. */
  readonly left: Pick<ReadonlySet<string>, "has">;
};

export type ScanTimes = {
  /** No receive begins after this time. */
  readonly untilMs: number;
  /** Letters stay hidden from others up to here. */
  readonly hiddenUntilMs: number;
};

/** Looks at SQS's counts after an empty receive: they lag behind what this run just removed. */
const EMPTY_RECEIVES = 5;
const EMPTY_WAIT_MS = 1000;

/**
 * Receives until every letter was seen, enough are in hand, or time is up. Letters that SQS moved are
 * renewed on sight, which brings those behind them to light; a dry run leaves them.
 * @throws where a queue or the ledger fails.
 */
export async function scanLetters(
  request: ReplayRequest,
  { planned, left }: Wanted,
  times: ScanTimes,
  custody: Custody,
  ports: ReplayPorts,
): Promise<Scan> {
  const state = startOf(request, { planned, left });
  const complete = await receiveAll(state, times, custody, ports);
  return {
    complete,
    allIdsSeen: request.filter.ids?.every((id) => state.seen.has(id)) ?? false,
    letters: state.held.letters(),
    cut: state.held.wasCut(),
    seen: state.seen,
    examined: state.examined,
    errors: state.errors,
  };
}

type State = {
  readonly request: ReplayRequest;
  readonly left: Wanted["left"];
  readonly held: HeldLetters;
  readonly seen: Set<string>;
  /** Ids still to be seen before a scan may end early. */
  readonly wanted: Set<string>;
  /** MessageIds of letters that this run renewed, and so has examined already. */
  readonly renewed: Set<string>;
  readonly errors: ReplayError[];
  examined: number;
};

function startOf(request: ReplayRequest, { planned, left }: Wanted): State {
  const { filter, limit } = request;
  return {
    request,
    left,
    held: holdOldest(limit),
    seen: new Set(),
    wanted: new Set(filter.ids ?? planned.slice(0, limit).map(({ id }) => id)),
    renewed: new Set(),
    errors: [],
    examined: 0,
  };
}

async function receiveAll(
  state: State,
  times: ScanTimes,
  custody: Custody,
  ports: ReplayPorts,
): Promise<boolean> {
  const { letters, clock } = ports;
  let empty = 0;
  while (clock.nowMs() < times.untilMs) {
    if (isEnough(state)) return sawAll(custody, ports);
    const hiddenMs = times.hiddenUntilMs - clock.nowMs();
    const batch = await letters.receive(Math.ceil(hiddenMs / 1000));
    if (batch.length > 0) {
      empty = 0;
      await look(batch, state, custody, ports);
      continue;
    }
    if (await sawAll(custody, ports)) return true;
    empty += 1;
    if (empty >= EMPTY_RECEIVES) return false;
    await waitMs(clock, EMPTY_WAIT_MS);
  }
  return false;
}

/** Asked for by id: once each was seen. Else: once the limit is in hand and none of the oldest that
 *  the ledger lists is missing from it. */
function isEnough({ request, held, wanted }: State): boolean {
  if (wanted.size > 0) return false;
  return request.filter.ids !== undefined || held.count() >= request.limit;
}

async function sawAll(custody: Custody, { letters }: ReplayPorts): Promise<boolean> {
  const { visible, inFlight } = await letters.size();
  return visible + inFlight <= custody.size();
}

async function look(
  batch: readonly Delivery[],
  state: State,
  custody: Custody,
  ports: ReplayPorts,
): Promise<void> {
  for (const delivery of batch) {
    if (custody.take(delivery) && !state.renewed.has(delivery.messageId)) state.examined += 1;
  }
  const letters = await readLetters(batch, ports);
  await Promise.all(letters.map((letter) => consider(letter, state, custody, ports)));
}

async function readLetters(
  batch: readonly Delivery[],
  { ledger, settings }: ReplayPorts,
): Promise<readonly Letter[]> {
  const { partitions } = settings;
  const unmarked = batch.filter(isUnmarked).map((delivery) => letterId(delivery, partitions));
  const items = unmarked.length === 0 ? undefined : await ledger.items(unmarked);
  return batch.map((delivery) =>
    readLetter(delivery, items?.get(letterId(delivery, partitions)), settings),
  );
}

async function consider(
  letter: Letter,
  state: State,
  custody: Custody,
  ports: ReplayPorts,
): Promise<void> {
  const { request, left, renewed, errors, seen, wanted, held } = state;
  const { id } = letter.record;
  if (letter.native && !request.dryRun) {
    const renewal = await renewLetter(letter, custody, ports);
    if (renewal.kind === "renewed") {
      renewed.add(renewal.messageId);
      return;
    }
    errors.push({ id, error: renewal.error });
  }
  seen.add(id);
  wanted.delete(id);
  const { reason, failedAtMs } = letter;
  if (left.has(id)) return;
  if (matchesFilter(request.filter, { ...letter.record, reason, failedAtMs })) held.offer(letter);
}
