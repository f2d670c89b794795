import { join } from "node:path";
import { waitingBacklog } from "../../cli/capacity/arrivals.ts";
import type { Skew } from "../../cli/capacity/load.ts";
import { keyShares } from "../../cli/capacity/partition-shares.ts";
import { simulate } from "../../cli/capacity/simulate.ts";
import { partitionOf } from "../../lambdas/core/partition.ts";
import { seeded } from "../../lambdas/core/seeded.ts";
import { bundleOwnConsumer } from "../cold-start/bundles.ts";
import { BATCH_RECORDS } from "../contenders/batch.ts";
import { startEmbeddedConsumer } from "../embedded/embedded-consumer.ts";
import { atMost, type Findings, type Part, type PartOptions } from "../measure/part.ts";
import { interleave, type Measure, median, ratio } from "../measure/rounds.ts";

/** What the simulator is held against. */
type Trial = {
  readonly name: string;
  readonly partitions: number;
  readonly handlerMs: number;
  readonly skew: Skew;
  readonly records: number;
};

const CONCURRENCY = 4;
const ROUNDS_MAX = 3;

/** One partition: what a batch takes beside its handler calls comes out alone. */
const CALIBRATION: Trial = {
  name: "one partition (calibrates)",
  partitions: 1,
  handlerMs: 20,
  skew: { kind: "uniform" },
  records: 300,
};

const TRIALS: readonly Trial[] = [
  {
    name: "16 partitions, uniform",
    partitions: 16,
    handlerMs: 20,
    skew: { kind: "uniform" },
    records: 1000,
  },
  {
    name: "16 partitions, zipf 1.1",
    partitions: 16,
    handlerMs: 30,
    skew: { kind: "zipf", exponent: 1.1 },
    records: 600,
  },
  {
    name: "64 partitions, zipf 0.8",
    partitions: 64,
    handlerMs: 40,
    skew: { kind: "zipf", exponent: 0.8 },
    records: 600,
  },
];

/** The capacity command's simulator against the embedded run. */
export const CAPACITY_PART: Part = {
  name: "capacity",
  title: "The capacity simulator",
  async run({ rounds }: PartOptions): Promise<Findings> {
    const kept = Math.min(rounds, ROUNDS_MAX);
    const measures = [CALIBRATION, ...TRIALS].map((trial): [string, Measure] => [
      trial.name,
      () => embeddedMs(trial),
    ]);
    const samples = await interleave(Object.fromEntries(measures), kept, { warmUps: 0 });
    // Of each round, so that what slowed the machine down then is in both.
    const overheads = (samples[CALIBRATION.name] ?? []).map(overheadOf);
    const overheadMs = median(overheads);
    const compared = TRIALS.map((trial) => {
      const found = samples[trial.name] ?? [];
      const simulated = overheads.map((each) => simulatedMs(trial, each));
      return { trial, found, simulated, off: Math.abs(ratio(simulated, found) - 1) };
    });
    return {
      method: [
        `A backlog that lies ready is drained by the embedded run with ${CONCURRENCY} processes and a handler that waits, and by the simulator of \`backlogorder capacity\` with the same keys. What a batch takes beside its handler calls on this machine, ${overheadMs.toFixed(1)} ms, comes from a run with one partition; the other loads are predictions.`,
      ],
      tables: [
        {
          title: "Seconds to drain",
          columns: [
            "Load",
            "Records",
            "Handler, ms",
            "Embedded run",
            "Simulator",
            "Simulator / run",
          ],
          rows: compared.map(({ trial, found, simulated }) => [
            trial.name,
            String(trial.records),
            String(trial.handlerMs),
            (median(found) / 1000).toFixed(2),
            (median(simulated) / 1000).toFixed(2),
            ratio(simulated, found).toFixed(2),
          ]),
        },
      ],
      targets: compared.map(({ trial, off }) =>
        atMost(`${trial.name}: off by at most 0.15`, off, 0.15),
      ),
    };
  },
};

const SLEEPING = join(import.meta.dirname, "sleeping-handler.ts");
const SEED = 7;
const KEYS = 1000;

/** The keys of a trial's records, drawn by their shares. */
function keysOf({ skew, records }: Trial): readonly string[] {
  const random = seeded(SEED);
  const shares = keyShares({ skew, keys: KEYS });
  return Array.from({ length: records }, () => {
    let rest = random();
    const drawn = shares.find(({ share }) => {
      rest -= share;
      return rest < 0;
    });
    return drawn?.key ?? "player:1";
  });
}

function simulatedMs(trial: Trial, overheadMs: number): number {
  const groups = keysOf(trial).map((key) => partitionOf(key, trial.partitions));
  const { handlerMs } = trial;
  return simulate(waitingBacklog(groups), {
    handlerMs,
    batchSize: 10,
    concurrency: CONCURRENCY,
    ledgerMs: 0,
    overheadMs,
  }).endMs;
}

/** What a batch takes beside its handler calls, by the run with one partition. */
function overheadOf(ms: number): number {
  return ms / (CALIBRATION.records / BATCH_RECORDS) - BATCH_RECORDS * CALIBRATION.handlerMs;
}

/** Milliseconds to drain a trial's records. */
async function embeddedMs(trial: Trial): Promise<number> {
  const { partitions, handlerMs } = trial;
  const keys = keysOf(trial);
  const payload = JSON.stringify({ handlerMs });
  const consumer = await startEmbeddedConsumer({
    settings: { partitions },
    bundle: (folder) => bundleOwnConsumer(folder, SLEEPING),
    concurrency: CONCURRENCY,
  });
  try {
    // The processes start on records of their own.
    await consumer.queue.fill(keys.slice(0, WARM_RECORDS), payload);
    await consumer.start();
    await consumer.queue.emptied();
    await consumer.pause();
    await consumer.queue.fill(keys, payload);
    const start = performance.now();
    await consumer.start();
    await consumer.queue.emptied();
    return performance.now() - start;
  } finally {
    await consumer.close();
  }
}

const WARM_RECORDS = 100;
