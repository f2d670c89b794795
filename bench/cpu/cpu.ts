import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { backlogorderConsumer, type Consumer } from "../contenders/backlogorder.ts";
import { BATCH_RECORDS, batchOf } from "../contenders/batch.ts";
import { handle } from "../contenders/no-op-handler.ts";
import { powertoolsConsumer } from "../contenders/powertools.ts";
import { atLeast, atMost, type Findings, type Part, type PartOptions } from "../measure/part.ts";
import { interleave, type Measure, median, ratio, type Sample } from "../measure/rounds.ts";
import { stubClient, stubTransportClient } from "../measure/stub-dynamodb.ts";
import { bareWrites } from "./bare-writes.ts";
import { type Observer, silentObserver } from "./silent-observer.ts";

/** Processor time of a record. */
export const CPU_PART: Part = {
  name: "cpu",
  title: "Processor time of a record",
  async run({ rounds }: PartOptions): Promise<Findings> {
    const samples = await interleave(measures(), rounds, { warmUps: WARM_UPS });
    return {
      method: [
        "A no-op handler, batches of ten of one group and of ten groups, microseconds of processor time of a record, the collector's threads included. `stub store`: every call of the DynamoDB client resolves at once. `stub transport`: the SDK does all its work on request and answer, and a transport below it answers at once. `with metrics`: the consumer as it is deployed, whose metrics line is made and dropped. `its writes alone`: the same requests to the ledger from a loop around the SDK, without consumer, records or answer.",
      ],
      tables: [
        {
          title: "Microseconds a record",
          columns: ["Store", "Groups", "Consumer", "us / record", "x backlogorder"],
          rows: CASES.map(({ name, store, groups, consumer, against }) => [
            store,
            String(groups),
            consumer,
            median(samples[name]).toFixed(1),
            ratio(samples[name], samples[against]).toFixed(2),
          ]),
        },
      ],
      targets: [
        times("stub store, one group", samples, "powertools store 1", "own store 1"),
        times("stub store, ten groups", samples, "powertools store 10", "own store 10"),
        times("stub transport, one group", samples, "powertools sdk 1", "own sdk 1"),
        times("stub transport, ten groups", samples, "powertools sdk 10", "own sdk 10"),
        atMost(
          "stub transport, ten groups: within 1.2 x of its writes alone",
          ratio(samples["own sdk 10"], samples["writes sdk 10"]),
          1.2,
        ),
      ],
      tried: [
        "Attributes read in a loop instead of by Object.entries and Object.fromEntries, texts of plain ASCII and offsets of one length compared as they are, and one promise for the handler's outcome and its time-out in place of a race and two functions that wait: each took a twentieth to a tenth off, together 4.6 to 2.6 us a record in one group and 6.1 to 4.2 in ten.",
        "Making the handler's abort signal only when it is looked at gained nothing, nor did a map of settled ids only for groups of more than one record. What is left is flat: the collector takes an eighth, the timer of the handler's time a twentieth, no function more.",
        "In ten groups over the SDK this consumer takes little more than its writes alone, so that five times less than Powertools is out of reach, and Powertools makes two calls a record for its one. What is left is the SDK's: a quarter of a call's time is in the copies of the client's settings that it makes for each request, a seventh in the signature; both would be saved for Powertools as well. One request for the ten entries would save nine of ten calls. TransactWriteItems doubles the write units; BatchWriteItem only puts, and would lose names that an earlier delivery left in an entry. PartiQL's BatchExecuteStatement has single inserts that are refused where an item exists, so that only those would be added to as now; it was left because no local DynamoDB at hand speaks it to try it on, and an entry is what this consumer's promise stands on.",
      ],
    };
  },
};

type Who = "own" | "own metrics" | "writes" | "powertools";

type Name = `${Who} ${"store" | "sdk"} ${1 | 10}`;

type Case = {
  readonly name: Name;
  readonly store: string;
  readonly groups: 1 | 10;
  readonly consumer: string;
  readonly against: Name;
};

const TITLES: Readonly<Record<Who, string>> = {
  own: "backlogorder",
  "own metrics": "backlogorder, with metrics",
  writes: "its writes alone",
  powertools: "powertools",
};

const WHO = Object.keys(TITLES) as readonly Who[];

const CASES: readonly Case[] = (["store", "sdk"] as const).flatMap((kind) =>
  ([1, 10] as const).flatMap((groups) =>
    WHO.map(
      (who): Case => ({
        name: `${who} ${kind} ${groups}`,
        store: kind === "store" ? "stub store" : "stub transport",
        groups,
        consumer: TITLES[who],
        against: `own ${kind} ${groups}`,
      }),
    ),
  ),
);

/** Until the code of every contender is compiled. */
const WARM_UPS = 5;

/** Batches of one round: about as much time for a contender of either store. */
const BATCHES = { store: 200, sdk: 20 };

function measures(): Readonly<Record<Name, Measure>> {
  const clients = { store: stubClient(), sdk: stubTransportClient(0) };
  const observer = silentObserver();
  const measured = CASES.map(({ name, groups }): [Name, Measure] => {
    const kind = name.includes("store") ? "store" : "sdk";
    const client = clients[kind];
    const consumer = consumerOf(name, client, observer);
    return [name, recordMicroseconds(consumer, groups, BATCHES[kind])];
  });
  return Object.fromEntries(measured) as Record<Name, Measure>;
}

function consumerOf(name: Name, client: DynamoDBClient, observer: Observer): Consumer {
  if (name.startsWith("powertools")) return powertoolsConsumer({ client, handle });
  if (name.startsWith("writes")) return bareWrites(client);
  return backlogorderConsumer({
    client,
    handle,
    ...(name.startsWith("own metrics") && observer),
  });
}

function recordMicroseconds(consumer: Consumer, groups: number, batches: number): Measure {
  let made = 0;
  return async () => {
    const events = Array.from({ length: batches }, () => {
      made += 1;
      return batchOf({ groups, name: String(made) });
    });
    const before = process.cpuUsage();
    for (const event of events) await consumer(event);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / (batches * BATCH_RECORDS);
  };
}

function times(
  what: string,
  samples: Readonly<Record<Name, Sample>>,
  theirs: Name,
  own: Name,
): ReturnType<typeof atLeast> {
  return atLeast(`${what}: 5 x less than Powertools`, ratio(samples[theirs], samples[own]), 5, 1);
}
