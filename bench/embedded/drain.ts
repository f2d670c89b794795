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
  "An event went to its process as JSON within JSON, which escapes every quotation mark: 26 us of the sender's processor time for a batch of ten, 13 as it is now sent.",
  "The next receive waits at the queue while a batch is handled, and is answered in the moment in which the delete frees the group, so there is no gap to close. Deletes go in one request a batch.",
  "What is left is round trips. A receive or a delete takes about 0.7 ms, both ends together, and the ledger's write 0.9; nearly all of it is HTTP and the SDK's work on a request, for the emulated table itself takes a twentieth of the profile. The bare loop makes two for a batch and a consumer that remembers at least three, so that two thirds of the bare loop is the most there is on one processor, and less was found where the write is dearer than a receive. By the clock the write that hands an event to its process takes a sixth of the profile, but measured alone it takes 13 us of processor time of about 3 ms a batch: the rest is presumably the woken process taking the processor over. Log lines, metrics and the mapping take less than a twentieth each. The process in between can be hidden only by a second processor that has nothing else to do; these figures are of a machine whose load was 3 to 4 on two processors, which five processes feel more than one does. The time a record shows no growth with the backlog: 10,000 went faster than 1,000 and than 100,000.",
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
