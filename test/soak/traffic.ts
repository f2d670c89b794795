import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { PublishError, type PublishedRecord } from "../../lambdas/aws/publisher/publish-error.ts";
import type { Publisher } from "../../lambdas/aws/publisher/publisher.ts";
import type { OutgoingRecord } from "../../lambdas/core/wire/outgoing.ts";
import { plannedFault } from "./record-fault.ts";

/** A record that the queue has, and what it is worth. */
export type Accepted = PublishedRecord & { readonly key: string; readonly coins: number };

export type TrafficPlan = {
  readonly publisher: Publisher;
  readonly random: () => number;
  /** Where the accepted ones are written down, a line each. */
  readonly journal: string;
  /** Ends the traffic; what was begun is published to its end. */
  readonly signal: AbortSignal;
  /** Resolves when the backlog has room. */
  readonly room: () => Promise<void>;
};

const KEYS = 60;
const SLICE = 6;
const PAUSE_MS = 150;
/** Longer than any process is dead. */
const PATIENCE_MS = 60_000;

type Event = OutgoingRecord & { readonly id: string; readonly coins: number };

/** Publishes until it is told to stop. Resolves to all records that were accepted: one whose outcome
 *  was unknown is published again, with its id, until it is. */
export async function publishTraffic(plan: TrafficPlan): Promise<readonly Accepted[]> {
  const { random, signal, room } = plan;
  const accepted: Accepted[] = [];
  for (let n = 0; !signal.aborted; n += SLICE) {
    await room();
    const slice = Array.from({ length: SLICE }, (_, index) => eventOf(n + index, random));
    accepted.push(...(await publishAll(plan, slice)));
    await delay(PAUSE_MS);
  }
  return accepted;
}

/** Every wallet begins with more than all its later events can spend. */
function eventOf(n: number, random: () => number): Event {
  const below = (bound: number): number => Math.floor(random() * bound);
  const key = `player:${n < KEYS ? n : below(KEYS)}`;
  const coins = n < KEYS ? 1_000_000 : below(200) - 80 || 1;
  const payload = JSON.stringify({
    type: coins > 0 ? "credit" : "debit",
    amount: Math.abs(coins),
    fault: n < KEYS ? undefined : plannedFault(n - KEYS),
  });
  return { id: `r${String(n).padStart(6, "0")}`, key, payload, coins };
}

async function publishAll(
  { publisher, journal }: TrafficPlan,
  events: readonly Event[],
): Promise<readonly Accepted[]> {
  const endMs = Date.now() + PATIENCE_MS;
  const accepted: Accepted[] = [];
  let rest = events;
  while (rest.length > 0) {
    const report = await publisher.publish(rest).catch((error: unknown) => {
      if (!(error instanceof PublishError) || Date.now() > endMs) throw error;
      return error;
    });
    for (const published of report.accepted) {
      const { key, coins } = rest[published.index] as Event;
      accepted.push({ ...published, key, coins });
      appendFileSync(journal, `${JSON.stringify(published)}\n`);
    }
    const done = new Set(report.accepted.map(({ index }) => index));
    rest = rest.filter((_, index) => !done.has(index));
  }
  return accepted;
}
