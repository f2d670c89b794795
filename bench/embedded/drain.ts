import { SQSClient } from "@aws-sdk/client-sqs";
import { startSqs } from "../../local/sqs/server.ts";
import { bundleOwnConsumer, NO_OP } from "../cold-start/bundles.ts";
import { LOCAL_ACCESS } from "../measure/local-access.ts";
import { atLeast, atMost, type Findings, type Part, type PartOptions } from "../measure/part.ts";
import { interleave, median, ratio, type Sample } from "../measure/rounds.ts";
import { drainBarely } from "./bare-loop.ts";
import { startEmbeddedConsumer } from "./embedded-consumer.ts";
import { createSourceQueue } from "./source-queue.ts";

/** Batches at once for both: processes of the embedded run, or loops. */
const CONCURRENCY = 4;

/** Rounds by backlog, and those that are not kept: a long one is many rounds in itself. */
const BACKLOGS = [
  { records: 1000, rounds: 15, warmUps: 1 },
  { records: 10_000, rounds: 3, warmUps: 1 },
  { records: 100_000, rounds: 1, warmUps: 0 },
] as const;

const PARTITION_COUNTS = [1, 16, 64];
const LONG_BACKLOG_PARTITIONS = 64;

/** Draining a backlog on the embedded services. */
export const DRAIN_PART: Part = {
  name: "drain",
  title: "Draining a backlog",
  async run(options: PartOptions): Promise<Findings> {
    const drained: Drained[] = [];
    for (const partitions of PARTITION_COUNTS) {
      for (const { records, rounds, warmUps } of BACKLOGS) {
        if (records > 10_000 && partitions !== LONG_BACKLOG_PARTITIONS) continue;
        const kept = Math.min(rounds, options.rounds);
        const samples = await measure(partitions, records, kept, warmUps);
        drained.push({ partitions, records, ...samples });
      }
    }
    return findingsOf(drained);
  },
};

type Drained = {
  readonly partitions: number;
  readonly records: number;
  /** Milliseconds a record. */
  readonly bare: Sample;
  readonly embedded: Sample;
};

async function measure(
  partitions: number,
  records: number,
  rounds: number,
  warmUps: number,
): Promise<Pick<Drained, "bare" | "embedded">> {
  const keys = Array.from({ length: records }, (_, record) => `player:${record % 997}`);
  return interleave(
    {
      bare: () => bareMs(partitions, keys),
      embedded: () => embeddedMs(partitions, keys),
    },
    rounds,
    { warmUps },
  );
}

async function bareMs(partitions: number, keys: readonly string[]): Promise<number> {
  const server = await startSqs();
  const client = new SQSClient({ endpoint: server.url, ...LOCAL_ACCESS });
  const queue = await createSourceQueue(client, { partitions, visibilityTimeoutSeconds: 600 });
  await queue.fill(keys);
  const start = performance.now();
  await drainBarely(queue, CONCURRENCY);
  await queue.emptied();
  const ms = performance.now() - start;
  await server.close();
  return ms / keys.length;
}

async function embeddedMs(partitions: number, keys: readonly string[]): Promise<number> {
  const consumer = await startEmbeddedConsumer({
    settings: { partitions },
    bundle: (folder) => bundleOwnConsumer(folder, NO_OP),
    concurrency: CONCURRENCY,
  });
  // The processes start on records of their own.
  await consumer.queue.fill(keys.slice(0, WARM_RECORDS));
  await consumer.start();
  await consumer.queue.emptied();
  await consumer.pause();
  await consumer.queue.fill(keys);
  const start = performance.now();
  await consumer.start();
  await consumer.queue.emptied();
  const ms = performance.now() - start;
  await consumer.close();
  return ms / keys.length;
}

const WARM_RECORDS = 200;

function findingsOf(drained: readonly Drained[]): Findings {
  const flat = drained.filter(({ partitions }) => partitions === LONG_BACKLOG_PARTITIONS);
  const times = flat.map(({ embedded }) => median(embedded));
  return {
    method: [
      `A backlog that lies ready is drained by the embedded run (its event source mapping, ${CONCURRENCY} processes of the consumer's bundle with a no-op handler, the ledger on the embedded DynamoDB), and by ${CONCURRENCY} bare loops that receive and delete ten at a time on the same queue engine. All of it shares this machine's processors, the emulators above all: on AWS, services do their work elsewhere.`,
    ],
    tables: [
      {
        title: "Records a second",
        columns: ["Partitions", "Backlog", "Bare loop", "Embedded run", "of the bare loop"],
        rows: drained.map(({ partitions, records, bare, embedded }) => [
          String(partitions),
          String(records),
          (1000 / median(bare)).toFixed(0),
          (1000 / median(embedded)).toFixed(0),
          ratio(bare, embedded).toFixed(2),
        ]),
      },
    ],
    targets: [
      ...drained
        .filter(({ records }) => records === 10_000)
        .map(({ partitions, bare, embedded }) =>
          atLeast(`${partitions} partitions: 0.7 of the bare loop`, ratio(bare, embedded), 0.7),
        ),
      atMost(
        "slowest by fastest time a record, 1,000 to 100,000: 1.2",
        Math.max(...times) / Math.min(...times),
        1.2,
      ),
    ],
  };
}
