import type { Delivery } from "../record.ts";
import { type Arrival, groupOf, readArrival } from "../wire/arrival.ts";
import { drainGroup } from "./drain-group.ts";
import type { DrainPorts, Invocation } from "./drain-ports.ts";
import { isCareful } from "./drain-record.ts";
import { type Candidate, subjectOf } from "./turn.ts";

/** The invocation began so late that SQS may already have handed its messages out again. */
export class LateStartError extends Error {
  override readonly name = "LateStartError";
}

/**
 * Drains one Lambda batch: each message group in order, the groups of a first receive side by side.
 * A batch with any record that was received before, or a replay, is careful: one group after
 * another, each recorded before the next begins, so that a dying process is charged only to the
 * record in hand. Nothing is shared between invocations.
 * @returns the MessageIds to be reported as failed, in batch order; all others are done.
 * @throws LateStartError before anything was touched.
 */
export async function drainBatch<Effect>(
  deliveries: readonly Delivery[],
  invocation: Invocation,
  ports: DrainPorts<Effect>,
): Promise<readonly string[]> {
  refuseLateStart(deliveries, ports);
  const arrivals = deliveries.map((one) => readArrival(one, ports.settings.partitions));
  const careful = arrivals.some(isCareful);
  const candidates = careful
    ? await withStandings(arrivals, ports)
    : arrivals.map((arrival) => ({ arrival, standing: undefined }));
  const failed =
    candidates === undefined
      ? arrivals
      : await drainGroups([...byGroup(candidates).values()], careful, invocation, ports);
  const failedIds = new Set(failed.map(({ delivery }) => delivery.messageId));
  return deliveries.map(({ messageId }) => messageId).filter((id) => failedIds.has(id));
}

/** A throttled invocation waits inside Lambda while the visibility timeout runs; one that starts
 *  within the last `consumer timeout` of it could overlap the next receive. */
function refuseLateStart<Effect>(
  deliveries: readonly Delivery[],
  { clock, settings }: DrainPorts<Effect>,
): void {
  const spareMs = (settings.visibilityTimeoutSeconds - settings.consumerTimeoutSeconds) * 1000;
  const nowMs = clock.nowMs();
  const late = deliveries.find(
    ({ receives, firstReceivedAtMs }) => receives === 1 && nowMs - firstReceivedAtMs > spareMs,
  );
  if (late === undefined) return;
  throw new LateStartError(
    `Expected to start within ${spareMs} ms of the receive of message ${late.messageId}, started after ${nowMs - late.firstReceivedAtMs} ms. Nothing was touched; SQS delivers the batch again. If this repeats, raise the visibility timeout or the account's concurrency`,
  );
}

/** One question for the whole batch; undefined where the ledger cannot answer, which is a failure of
 *  every record and charged to none. */
async function withStandings<Effect>(
  arrivals: readonly Arrival[],
  { ledger, report }: DrainPorts<Effect>,
): Promise<readonly Candidate[] | undefined> {
  try {
    const standings = await ledger.standings(arrivals.map(({ identity }) => identity));
    return arrivals.map((arrival, index) => ({ arrival, standing: standings[index] }));
  } catch (error) {
    for (const arrival of arrivals) {
      report({ kind: "interrupted", ...subjectOf(arrival), error });
    }
    return undefined;
  }
}

function byGroup(candidates: readonly Candidate[]): Map<string, Candidate[]> {
  return Map.groupBy(candidates, ({ arrival }) => groupOf(arrival));
}

async function drainGroups<Effect>(
  groups: readonly (readonly Candidate[])[],
  careful: boolean,
  invocation: Invocation,
  ports: DrainPorts<Effect>,
): Promise<readonly Arrival[]> {
  const drain = (group: readonly Candidate[]): Promise<readonly Arrival[]> =>
    drainGroup(group, invocation, ports);
  if (!careful) return (await Promise.all(groups.map(drain))).flat();
  const failed: Arrival[] = [];
  for (const group of groups) failed.push(...(await drain(group)));
  return failed;
}
