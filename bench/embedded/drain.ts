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

/** Until the code of each process is compiled: in the first thousand records of a process, a record
 *  takes three times as long. */
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
  `A backlog that lies ready is drained by the embedded run (its event source mapping, ${CONCURRENCY} processes of the consumer's bundle with a no-op handler, the ledger on the embedded DynamoDB), and by ${CONCURRENCY} bare loops that receive and delete ten at a time on the same queue engine. \`with the ledger's write\` is the bare loop with one write a group before each delete and nothing else: no process of its own, no handler, no metrics. It is the most that a consumer can reach which remembers before it answers. All contenders have drained ${WARM_RECORDS} records before. All of it shares this machine's processors, the emulators above all: on AWS, services do their work elsewhere.`,
];

const TRIED = [
  "The processes used to start anew in each round with a warm-up of 200 records among four of them, so that the first thousand records measured the compiling of the SDK: 0.3 of the bare loop for 1,000 to 2,000 records, 0.7 to 0.9 for 10,000 by the same code. They now stay from round to round, as Lambda's do.",
  "An event went to its process as JSON within JSON, which escapes every quotation mark: 28 us of the sender's processor for a batch of ten, 13 as it is now sent.",
  "The next receive waits at the queue while a batch is handled, and is answered in the moment in which the delete frees the group, so there is no gap to close. The rest of the profile is flat: HTTP and the SDK's work on requests, twice for a batch in the bare loop and three times here; log lines, metrics and the mapping itself are a twentieth together.",
  "With one partition nothing runs side by side: a group's next batch comes only when the last one is deleted. Two round trips are then the bare loop and three the least with a ledger, so two thirds is the most there is, and the way to the function's process and back is on top.",
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
