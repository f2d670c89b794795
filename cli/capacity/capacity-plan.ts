import { PRICES } from "../../lambdas/core/prices.ts";
import { randomArrivals } from "./arrivals.ts";
import { hourOutageDrainSeconds } from "./drain-time.ts";
import { type LimitUse, LOOK_BACK_RECORDS, limitsHit } from "./limits-hit.ts";
import type { Load } from "./load.ts";
import { chooseCount, type PartitionChoice, suggestCount } from "./partition-count.ts";
import { keyShares, partitionShares } from "./partition-shares.ts";
import { CONSUMER_GIB, type Dollars, METRICS_LINE_BYTES } from "./record-cost.ts";
import { type Simulated, simulate } from "./simulate.ts";

export type CapacityRequest = {
  readonly load: Load;
  /** @default - the count is suggested */
  readonly partitions?: number | undefined;
  readonly seed: number;
};

export type CapacityPlan = {
  readonly choice: PartitionChoice;
  /** Whether every partition keeps up with what is published into it. */
  readonly keepsUp: boolean;
  readonly simulated: {
    readonly seconds: number;
    readonly records: number;
    /** Milliseconds from publish to the end of the handler, over all records. */
    readonly age: Ages;
    /** Of the busiest partition; undefined where none of the records fell into it. */
    readonly worstAge: Ages | undefined;
    /** Share of its time for which the busiest partition was in flight. */
    readonly worstUtilisation: number;
    readonly recordsPerBatch: number;
    readonly concurrencyMean: number;
    readonly concurrencyMax: number;
  };
  /** Infinity where it never drains. */
  readonly hourOutageDrainSeconds: number;
  /** An outage as long as this fills what SQS looks at; groups behind it wait unseen. */
  readonly lookBackSeconds: number;
  readonly limits: readonly LimitUse[];
  readonly dollarsPerMonth: Dollars;
};

export type Ages = { readonly median: number; readonly p99: number };

/** Records that a simulation handles at most; it is long enough for the worst partition's wait to
 *  settle and short enough to be waited for. */
const RECORDS = 300_000;
const SECONDS_MAX = 600;

/** Records that a load must bring before anything is told of it: a slow one is simulated for longer. */
const RECORDS_MIN = 10_000;

const MONTH_SECONDS = 30 * 86_400;

/** Chooses a partition count, runs the load through it and compares it with the services' limits. */
export function capacityPlan({ load, partitions, seed }: CapacityRequest): CapacityPlan {
  const keys = keyShares(load);
  const choice =
    partitions === undefined ? suggestCount(load, keys) : chooseCount(load, keys, partitions);
  const shares = partitionShares(keys, choice.partitions);
  const seconds = simulatedSeconds(load.ratePerSecond);
  const simulated = simulate(
    randomArrivals(load.ratePerSecond, shares, seed),
    load,
    1000 * seconds,
  );
  const worst = shares.indexOf(Math.max(...shares));
  const worstRate = (shares[worst] ?? 0) * load.ratePerSecond;
  const entries = drainsOf(simulated);
  return {
    choice,
    keepsUp: choice.worstUtilisation < 1 && hourOutageDrainSeconds(load, shares) < Infinity,
    simulated: figuresOf(simulated, worst, seconds),
    hourOutageDrainSeconds: hourOutageDrainSeconds(load, shares),
    lookBackSeconds: LOOK_BACK_RECORDS / load.ratePerSecond,
    limits: limitsHit({
      ...load,
      worstPartitionRate: worstRate,
      entriesPerSecond: entries / seconds,
      worstEntriesPerSecond: Math.max(...simulated.drains.values()) / seconds,
      concurrencyMax: simulated.concurrencyMax,
    }),
    dollarsPerMonth: dollarsOf(simulated, load.ratePerSecond),
  };
}

function simulatedSeconds(ratePerSecond: number): number {
  const least = RECORDS_MIN / ratePerSecond;
  return Math.max(least, Math.min(SECONDS_MAX, RECORDS / ratePerSecond));
}

function figuresOf(
  simulated: Simulated,
  worst: number,
  seconds: number,
): CapacityPlan["simulated"] {
  const { agesMs, busyMs, handled, batches, runningMs, concurrencyMax } = simulated;
  const worstAges = agesMs.get(worst);
  return {
    seconds,
    records: handled,
    age: agesOf([...agesMs.values()].flat()),
    worstAge: worstAges === undefined ? undefined : agesOf(worstAges),
    worstUtilisation: (busyMs.get(worst) ?? 0) / (1000 * seconds),
    recordsPerBatch: handled / batches,
    concurrencyMean: runningMs / (1000 * seconds),
    concurrencyMax,
  };
}

function drainsOf({ drains }: Simulated): number {
  return [...drains.values()].reduce((sum, each) => sum + each, 0);
}

function agesOf(ages: readonly number[]): Ages {
  const sorted = Float64Array.from(ages).sort();
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { median: at(0.5), p99: at(0.99) };
}

/** What the simulated batches cost, for a month of the same. The handler's own calls are left out. */
function dollarsOf(simulated: Simulated, ratePerSecond: number): Dollars {
  const { handled, batches, invokedMs } = simulated;
  const times = (ratePerSecond * MONTH_SECONDS) / handled;
  const gibSeconds = (invokedMs / 1000) * CONSUMER_GIB;
  return {
    sqs: (handled / 10 + 2 * batches) * PRICES.sqsRequest * times,
    lambda: (batches * PRICES.lambdaRequest + gibSeconds * PRICES.lambdaGibSecond) * times,
    ledger: drainsOf(simulated) * PRICES.writeUnit * times,
    log: ((batches * METRICS_LINE_BYTES) / 1e9) * PRICES.logGb * times,
  };
}
