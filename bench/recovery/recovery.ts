import { join } from "node:path";
import { buildSync } from "esbuild";
import { BUNDLE_OPTIONS } from "../../infra/function-bundle.ts";
import { partitionOf } from "../../lambdas/core/partition.ts";
import { bundleOwnConsumer } from "../cold-start/bundles.ts";
import { startEmbeddedConsumer } from "../embedded/embedded-consumer.ts";
import { atMost, type Findings, type Part, type PartOptions } from "../measure/part.ts";
import { median } from "../measure/rounds.ts";

const PARTITIONS = 100;
const HEALTHY_EACH = 9;
const ROUNDS_MAX = 3;
const NAIVE_RECEIVES = 3;

/** The shortest times that a deployment may have, for both. */
const SETTINGS = {
  partitions: PARTITIONS,
  handlerTimeoutSeconds: 1,
  deadlineMarginSeconds: 1,
  consumerTimeoutSeconds: 3,
  visibilityTimeoutSeconds: 4,
  backoffBaseSeconds: 1,
  backoffCapSeconds: 2,
};

/** What becomes of a partition with a poison head. */
export const RECOVERY_PART: Part = {
  name: "recovery",
  title: "Recovery from a poison record",
  async run({ rounds }: PartOptions): Promise<Findings> {
    const own: Outcome[] = [];
    const naive: Outcome[] = [];
    for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round += 1) {
      own.push(await outcomeOf((folder) => bundleOwnConsumer(folder, HANDLER)));
      naive.push(await outcomeOf(bundleNaive, NAIVE_RECEIVES));
    }
    return findingsOf(own, naive);
  },
};

type Outcome = {
  /** Seconds until the partition's healthy records were handled or lost. */
  readonly seconds: number;
  /** Healthy records handled after the last one of the other partitions. */
  readonly delayed: number;
  /** Healthy records that ended in the dead-letter queue, never tried. */
  readonly lost: number;
};

const HANDLER = join(import.meta.dirname, "poison-handler.ts");

function bundleNaive(folder: string): void {
  buildSync({
    ...BUNDLE_OPTIONS,
    entryPoints: [join(import.meta.dirname, "naive-entry.ts")],
    outfile: join(folder, "index.mjs"),
  });
}

async function outcomeOf(
  bundle: (folder: string) => void,
  maxReceiveCount?: number,
): Promise<Outcome> {
  const handledAtMs = new Map<string, number>();
  const consumer = await startEmbeddedConsumer({
    settings: SETTINGS,
    bundle,
    concurrency: 4,
    ...(maxReceiveCount !== undefined && { maxReceiveCount }),
    onLine({ text }): void {
      if (text.startsWith('{"handled":')) {
        handledAtMs.set(JSON.parse(text).handled, performance.now());
      }
    },
  });
  try {
    const { poisoned, others } = publishedKeys();
    await consumer.queue.fill([...poisoned, ...others]);
    const start = performance.now();
    await consumer.start();
    await consumer.queue.emptied();
    const seconds = (performance.now() - start) / 1000;
    const othersEndMs = Math.max(...others.map((key) => handledAtMs.get(key) ?? 0));
    const healthy = poisoned.slice(1);
    return {
      seconds,
      delayed: healthy.filter((key) => (handledAtMs.get(key) ?? 0) > othersEndMs).length,
      lost: healthy.filter((key) => !handledAtMs.has(key)).length,
    };
  } finally {
    await consumer.close();
  }
}

/** Of one partition in a hundred the head is poison; each of all has nine healthy records. */
function publishedKeys(): { readonly poisoned: string[]; readonly others: string[] } {
  const byPartition = new Map<number, string[]>();
  for (let player = 0; [...byPartition.values()].filter(isFull).length < PARTITIONS; player += 1) {
    const partition = partitionOf(`player:${player}`, PARTITIONS);
    const keys = byPartition.get(partition) ?? [];
    byPartition.set(partition, keys);
    if (!isFull(keys)) keys.push(`player:${player}`);
  }
  const poison = keyIn(0);
  const { [0]: first = [], ...rest } = Object.fromEntries(byPartition);
  return { poisoned: [poison, ...first], others: Object.values(rest).flat() };
}

function isFull(keys: readonly string[]): boolean {
  return keys.length === HEALTHY_EACH;
}

function keyIn(partition: number): string {
  let number = 0;
  while (partitionOf(`poison:${number}`, PARTITIONS) !== partition) number += 1;
  return `poison:${number}`;
}

function findingsOf(own: readonly Outcome[], naive: readonly Outcome[]): Findings {
  const row = (name: string, outcomes: readonly Outcome[]): readonly string[] => [
    name,
    median(outcomes.map(({ seconds }) => seconds)).toFixed(1),
    String(median(outcomes.map(({ delayed }) => delayed))),
    String(median(outcomes.map(({ lost }) => lost))),
  ];
  const share = median(own.map(({ delayed }) => delayed / (PARTITIONS * HEALTHY_EACH)));
  return {
    method: [
      `${PARTITIONS} partitions with ${HEALTHY_EACH} healthy records each; before those of one partition stands a record that fails every time. This consumer has three attempts, ${SETTINGS.backoffBaseSeconds} s and ${SETTINGS.backoffCapSeconds} s apart; the naive one stops a group at its first failure, reports the rest and lets SQS move what was received ${NAIVE_RECEIVES} times, with a visibility timeout of ${SETTINGS.visibilityTimeoutSeconds} s. On the embedded run.`,
    ],
    tables: [
      {
        title: "One poison head in one of a hundred partitions",
        columns: ["Consumer", "Seconds until it moves on", "Healthy delayed", "Healthy lost"],
        rows: [row("backlogorder", own), row(`redrive at ${NAIVE_RECEIVES} receives`, naive)],
      },
    ],
    targets: [
      atMost("healthy records lost: 0", Math.max(...own.map(({ lost }) => lost)), 0, 0),
      atMost("share of healthy records delayed: its own partition's, 0.01", share, 0.01, 3),
    ],
  };
}
