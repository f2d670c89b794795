import type { ActLetter, Performed } from "../acts/act.ts";
import type { ActRun } from "../acts/record-act.ts";
import type { Custody } from "../replay/replay-custody.ts";
import { matchesFilter } from "../replay/replay-filter.ts";
import type { Letter } from "../replay/replay-letter.ts";
import type { ReplayRequest } from "../replay/replay-request.ts";
import { underLease } from "./letter-lease.ts";
import type { LetterError, RenewalPorts } from "./letter-ports.ts";
import { renewLetter } from "./letter-renewal.ts";
import { searchLetters, searchUntilMs } from "./letter-search.ts";
import { withoutWithheld } from "./unwithheld-queue.ts";

export type RenewRequest = Pick<ReplayRequest, "filter" | "limit" | "requestedBy" | "why"> & {
  /** Only letters that SQS deletes within this time. */
  readonly expiringWithinSeconds: number;
};

export type RenewResult = {
  readonly runId: string;
  readonly renewed: readonly string[];
  /** Removed: their records were applied before. */
  readonly settled: readonly string[];
  readonly errors: readonly LetterError[];
  /** Letters may be left that match: for the limit or the time, or because another reader hides
   *  some. Run again. */
  readonly truncated: boolean;
};

/**
 * Sends letters to the dead-letter queue again, same body and attributes, so that SQS keeps them for
 * another whole retention. Discarded ones are left alone. The old letter goes once the new one is
 * accepted; one whose record was applied goes without a successor. A run that is repeated begins with
 * what is still near its end.
 * @throws ReplayHeldError where a replay runs; and where the ledger or a queue fails.
 */
export function renewLetters(
  request: RenewRequest,
  run: ActRun,
  ports: RenewalPorts,
): Promise<Performed<RenewResult>> {
  return underLease(request.requestedBy, run, ports, async () => {
    const { marks, settings, clock } = ports;
    const letters = withoutWithheld(ports.letters, {
      marks,
      partitions: settings.partitions,
      clock,
      untilMs: searchUntilMs(run, clock.nowMs()),
    });
    try {
      return await renewAll(request, run, { ...ports, letters });
    } finally {
      await letters.release();
    }
  });
}

type Renewing = {
  readonly acts: ActLetter[];
  readonly errors: LetterError[];
  /** MessageIds of letters that this run made. */
  readonly made: Set<string>;
  left: number;
};

function renewAll(
  request: RenewRequest,
  run: ActRun,
  ports: RenewalPorts,
): Promise<Performed<RenewResult>> {
  const state: Renewing = { acts: [], errors: [], made: new Set(), left: request.limit };
  let cut = false;
  const look = async (letters: readonly Letter[], custody: Custody): Promise<"more" | "enough"> => {
    const due = letters.filter((letter) => isWanted(letter, request, state, ports));
    const taken = due.slice(0, state.left);
    state.left -= taken.length;
    cut ||= taken.length < due.length;
    await Promise.all(taken.map((letter) => renew(letter, state, custody, ports)));
    return cut ? "enough" : "more";
  };
  const acts = (letter: Letter): boolean => isWanted(letter, request, state, ports);
  return searchLetters(run, ports, { look, acts }, async ({ complete }) =>
    performed(state, run, !complete || cut),
  );
}

function isWanted(
  { delivery, record, reason, failedAtMs }: Letter,
  { filter, expiringWithinSeconds }: RenewRequest,
  { made }: Renewing,
  { clock, settings }: RenewalPorts,
): boolean {
  const leftMs = delivery.sentAtMs + settings.letterRetentionSeconds * 1000 - clock.nowMs();
  return (
    leftMs <= expiringWithinSeconds * 1000 &&
    !made.has(delivery.messageId) &&
    matchesFilter(filter, { ...record, reason, failedAtMs })
  );
}

async function renew(
  letter: Letter,
  state: Renewing,
  custody: Custody,
  ports: RenewalPorts,
): Promise<void> {
  const { id } = letter.record;
  const renewal = await renewLetter(letter, custody, ports);
  if (renewal.kind === "renewed") state.made.add(renewal.messageId);
  if (renewal.error !== undefined) state.errors.push({ id, error: renewal.error });
  state.acts.push({ id, outcome: renewal.kind, oldReason: letter.reason });
}

function performed(
  { acts, errors }: Renewing,
  { runId }: ActRun,
  truncated: boolean,
): Performed<RenewResult> {
  const of = (outcome: string): readonly string[] =>
    acts.filter((each) => each.outcome === outcome).map(({ id }) => id);
  const [renewed, settled] = [of("renewed"), of("settled")];
  return {
    answer: { runId, renewed, settled, errors, truncated },
    state: "done",
    counts: { renewed: renewed.length, settled: settled.length, errors: errors.length },
    letters: acts,
  };
}
