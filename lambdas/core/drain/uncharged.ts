import type { Turn } from "./turn.ts";

/**
 * Takes a step of a counted attempt that says nothing against the record. Where the step throws, the
 * count is taken back, for an outage must not turn good records into dead letters. Where that fails,
 * too, the count stands: the ledger is the only place that could know better.
 * @throws what the step threw.
 */
export async function uncharged<Effect, Result>(
  { arrival, attemptId, ports }: Turn<Effect>,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    await ports.ledger.uncount(arrival.identity, attemptId).catch(() => undefined);
    throw error;
  }
}
