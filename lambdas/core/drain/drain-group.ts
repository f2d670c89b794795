import type { EntryRecord } from "../ledger.ts";
import type { Arrival } from "../wire/arrival.ts";
import type { DrainPorts, Invocation } from "./drain-ports.ts";
import { drainRecord } from "./drain-record.ts";
import { type Candidate, type Outcome, SETTLED, subjectOf } from "./turn.ts";

/**
 * Drains one message group in order, until its end or the first record that must stay.
 * @returns the arrivals that are not done, always the tail of the group: SQS hands a group out up to
 * its first invisible message, so what stays must stay together. Never throws.
 */
export async function drainGroup<Effect>(
  group: readonly Candidate[],
  invocation: Invocation,
  ports: DrainPorts<Effect>,
): Promise<readonly Arrival[]> {
  /** Plain successes that no ledger entry names yet, with their place in the group. */
  const unrecorded: Unrecorded[] = [];
  const settledHere = new Map<string, number>();
  let place = 0;
  let stop: Stop | undefined;
  for (; place < group.length && stop === undefined; place += 1) {
    const candidate = group[place] as Candidate;
    const outcome = await settle(candidate, settledHere, invocation, ports);
    if (outcome.kind === "remembered") unrecorded.push({ place, record: outcome.record });
    if (isApplied(outcome)) remember(settledHere, candidate.arrival);
    else if (outcome.kind !== "dead") stop = stopAt(outcome, place);
  }
  const recorded = await record(unrecorded, group, ports);
  const from = Math.min(stop?.place ?? group.length, recorded);
  const failed = group.slice(from).map(({ arrival }) => arrival);
  if (stop?.visibilitySeconds !== undefined && recorded === group.length) {
    await hide(failed, stop.visibilitySeconds, ports);
  }
  return failed;
}

type Unrecorded = { readonly place: number; readonly record: EntryRecord };

/** Where a group stops, and when what stays may come back: undefined leaves it to SQS's timeout. */
type Stop = { readonly place: number; readonly visibilitySeconds: number | undefined };

function settle<Effect>(
  candidate: Candidate,
  settledHere: ReadonlyMap<string, number>,
  invocation: Invocation,
  ports: DrainPorts<Effect>,
): Promise<Outcome> {
  const { id, generation } = candidate.arrival.identity;
  const generationHere = settledHere.get(id);
  if (generationHere !== undefined && generationHere >= generation) {
    ports.report({ kind: "settledBefore", ...subjectOf(candidate.arrival) });
    return Promise.resolve(SETTLED);
  }
  return drainRecord(candidate, invocation, ports).catch((error: unknown): Outcome => {
    ports.report({ kind: "interrupted", ...subjectOf(candidate.arrival), error });
    return { kind: "interrupted" };
  });
}

function isApplied(outcome: Outcome): outcome is Applied {
  return outcome.kind === "settled" || outcome.kind === "remembered";
}

function stopAt(outcome: Exclude<Outcome, Applied | Dead>, place: number): Stop {
  switch (outcome.kind) {
    case "retry":
      return { place, visibilitySeconds: outcome.retryInSeconds };
    case "outOfTime":
      return { place, visibilitySeconds: 0 };
    case "interrupted":
      // Left to the visibility timeout, so that an outage burns receives slowly.
      return { place, visibilitySeconds: undefined };
    case "deadButAbandoned":
      // The record is done, but its handler still runs: nothing of its group may run beside it.
      return { place: place + 1, visibilitySeconds: undefined };
    default:
      return outcome satisfies never;
  }
}

type Applied = Extract<Outcome, { readonly kind: "settled" | "remembered" }>;

type Dead = Extract<Outcome, { readonly kind: "dead" }>;

function remember(settledHere: Map<string, number>, { identity }: Arrival): void {
  settledHere.set(identity.id, identity.generation);
}

/** Writes one batch entry for all plain successes, before the answer. Returns the place from which
 *  on the group is unrecorded: its length when all is well. */
async function record<Effect>(
  unrecorded: readonly Unrecorded[],
  group: readonly Candidate[],
  { ledger, report }: DrainPorts<Effect>,
): Promise<number> {
  const first = unrecorded[0];
  if (first === undefined) return group.length;
  const { arrival } = group[first.place] as Candidate;
  try {
    await ledger.addEntry(
      arrival.identity.partition,
      unrecorded.map((one) => one.record),
    );
    return group.length;
  } catch (error) {
    report({ kind: "interrupted", ...subjectOf(arrival), error });
    return first.place;
  }
}

async function hide<Effect>(
  failed: readonly Arrival[],
  seconds: number,
  { source, report }: DrainPorts<Effect>,
): Promise<void> {
  const head = failed[0];
  if (head === undefined) return;
  try {
    await source.setVisibility(
      failed.map(({ delivery }) => delivery),
      seconds,
    );
  } catch (error) {
    // They are reported as failed either way and come back when their timeout runs out.
    report({ kind: "interrupted", ...subjectOf(head), error });
  }
}
