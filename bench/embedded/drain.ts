import {
  atLeast,
  atMost,
  type FigureTable,
  type Findings,
  type Part,
  type PartOptions,
} from "../measure/part.ts";
import { interleave, type Measure, median, ratio, type Sample } from "../measure/rounds.ts";
import {
  bareDrainer,
  type Drainer,
  embeddedDrainer,
  rememberingDrainer,
} from "./drain-contenders.ts";

/** Batches at once for all: processes of the embedded run, or loops. */
const CONCURRENCY = 4;

/** Rounds by backlog, and those that are not kept: a long one is many rounds in itself. */
const BACKLOGS = [
  { records: 1000, rounds: 15, warmUps: 1 },
  { records: 10_000, rounds: 3, warmUps: 0 },
  { records: 100_000, rounds: 1, warmUps: 0 },
] as const;

const PARTITION_COUNTS = [1, 16, 64];
const LONG_BACKLOG_PARTITIONS = 64;

/** Until the code of each process is compiled: before, a record takes half as much time again. */
const WARM_RECORDS = 6000;

/** Draining a backlog on the embedded services. */
export const DRAIN_PART: Part = {
  name: "drain",
  title: "Draining a backlog",
  async run(options: PartOptions): Promise<Findings> {
    const drained: Drained[] = [];
    for (const partitions of PARTITION_COUNTS) {
      const drainers = await startDrainers(partitions);
      for (const { records, rounds, warmUps } of BACKLOGS) {
        if (records > 10_000 && partitions !== LONG_BACKLOG_PARTITIONS) continue;
        const kept = Math.min(rounds, options.rounds);
        const samples = await interleave(measuresOf(drainers, records), kept, { warmUps });
        drained.push({ partitions, records, samples });
      }
      for (const { close } of Object.values(drainers)) await close();
    }
    return findingsOf(drained);
  },
};

type Name = "bare" | "remembering" | "embedded";

type Drained = {
  readonly partitions: number;
  readonly records: number;
  /** Milliseconds a record. */
  readonly samples: Readonly<Record<Name, Sample>>;
};

async function startDrainers(partitions: number): Promise<Readonly<Record<Name, Drainer>>> {
  const drainers = {
    bare: await bareDrainer(partitions, CONCURRENCY),
    remembering: await rememberingDrainer(partitions, CONCURRENCY),
    embedded: await embeddedDrainer(partitions, CONCURRENCY),
  };
  for (const { drain } of Object.values(drainers)) await drain(keysOf(WARM_RECORDS));
  return drainers;
}

function measuresOf(
  { bare, remembering, embedded }: Readonly<Record<Name, Drainer>>,
  records: number,
): Readonly<Record<Name, Measure>> {
  const keys = keysOf(records);
  const measure =
    ({ drain }: Drainer): Measure =>
    async (): Promise<number> =>
      (await drain(keys)) / records;
  return {
    bare: measure(bare),
    remembering: measure(remembering),
    embedded: measure(embedded),
  };
}

function keysOf(records: number): readonly string[] {
  return Array.from({ length: records }, (_, record) => `player:${record % 997}`);
}

function findingsOf(drained: readonly Drained[]): Findings {
  const flat = drained.filter(({ partitions }) => partitions === LONG_BACKLOG_PARTITIONS);
  const times = flat.map(({ samples }) => median(samples.embedded));
  return {
    method: METHOD,
    tables: [tableOf(drained)],
    targets: [
      ...drained
        .filter(({ records }) => records === 10_000)
        .map(({ partitions, samples: { bare, embedded } }) =>
          atLeast(`${partitions} partitions: 0.7 of the bare loop`, ratio(bare, embedded), 0.7),
        ),
      ...drained
        .filter(({ records }) => records === 10_000)
        .map(({ partitions, samples: { remembering, embedded } }) =>
          atLeast(
            `${partitions} partitions: 0.7 of the bare loop with the ledger's write`,
            ratio(remembering, embedded),
            0.7,
          ),
        ),
      atMost(
        "slowest by fastest time a record, 1,000 to 100,000: 1.2",
        Math.max(...times) / Math.min(...times),
        1.2,
      ),
    ],
    tried: TRIED,
  };
}

const METHOD = [
  `A backlog that lies ready is drained by the embedded run (its event source mapping, ${CONCURRENCY} processes of the consumer's bundle with a no-op handler, the ledger on the embedded DynamoDB), and by ${CONCURRENCY} bare loops that receive and delete ten at a time on the same queue engine. \`with the ledger's write\` is the bare loop with one write a group before each delete and nothing else: no process of its own, no handler, no metrics. It is the most that a consumer on one thread can reach which remembers before it answers. All contenders have drained ${WARM_RECORDS} records before. All of it shares this machine's processors, the emulators above all: on AWS, services do their work elsewhere.`,
];

const TRIED = [
  "The processes used to start anew in each round with a warm-up of 200 records among four of them, so that short backlogs measured the compiling of the SDK: with 16 partitions a record took 410 us of processor time in the emulators' process and 255 in the functions' for 2,000 records after such a warm-up, and 280 and 160 for 10,000 after one of 6,000. All contenders now stay from round to round, as Lambda's processes do.",
  "The embedded DynamoDB made a promise-giving function of its write at each call: a sixth of a write's time on the emulators' thread. It makes it once now.",
  "An event went to its process as JSON within JSON, which escapes every quotation mark: 26 us of the sender's processor time for a batch of ten, 13 as it is now sent.",
  "The next receive waits at the queue while a batch is handled, and is answered in the moment in which the delete frees the group, so there is no gap to close. Deletes go in one request a batch.",
  "What is left is round trips. One write a batch alone brings the bare loop down to about 0.6 of its speed, so that no consumer which remembers before it answers reaches 0.7 of it on this engine; what is asked of this one is 0.7 of the loop with the write. The thread of the emulators and the mapping is the limit: with 16 partitions it is busy for 2.5 of the 2.6 ms that a batch takes, 1.2 of them with the receive and the delete, both ends together, as in the bare loop. The rest is flat: the table 0.15, the pipe to the process 0.2, log lines, metrics and the parts of the mapping less than 0.1 each. The processes of the function take another 1.3 ms of the second processor.",
  "A mapping that asked the engine without HTTP, or by something lighter than the SDK, would be faster and the comparison would say less: both ask in the same way.",
  "With one partition nothing runs side by side: a group's next batch comes only when the last one is deleted, so three round trips and the way to the process and back follow each other.",
];

function tableOf(drained: readonly Drained[]): FigureTable {
  return {
    title: "Records a second",
    columns: [
      "Partitions",
      "Backlog",
      "Bare loop",
      "with the ledger's write",
      "Embedded run",
      "of the bare loop",
      "of the one with the write",
    ],
    rows: drained.map(({ partitions, records, samples }) => [
      String(partitions),
      String(records),
      perSecond(samples.bare),
      perSecond(samples.remembering),
      perSecond(samples.embedded),
      ratio(samples.bare, samples.embedded).toFixed(2),
      ratio(samples.remembering, samples.embedded).toFixed(2),
    ]),
  };
}

function perSecond(sample: Sample): string {
  return (1000 / median(sample)).toFixed(0);
}
