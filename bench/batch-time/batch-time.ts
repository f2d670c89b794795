import { setTimeout as delay } from "node:timers/promises";
import { backlogorderConsumer, type Consumer } from "../contenders/backlogorder.ts";
import { BATCH_RECORDS, batchOf } from "../contenders/batch.ts";
import { powertoolsConsumer } from "../contenders/powertools.ts";
import { atMost, type Findings, type Part, type PartOptions } from "../measure/part.ts";
import { interleave, type Measure, median, ratio } from "../measure/rounds.ts";
import { stubTransportClient } from "../measure/stub-dynamodb.ts";

const CALL_MS = 5;
const HANDLER_MS = 5;

/** Time of one batch whose handler and ledger take a while. */
export const BATCH_TIME_PART: Part = {
  name: "batch-time",
  title: "Time of a batch",
  async run({ rounds }: PartOptions): Promise<Findings> {
    const samples = await interleave(measures(), rounds);
    const row = (name: string, figures: keyof typeof samples, least: keyof typeof samples) => [
      name,
      median(samples[figures]).toFixed(1),
      ratio(samples[figures], samples[least]).toFixed(2),
    ];
    const one = ratio(samples.ours1, samples.least1);
    const ten = ratio(samples.ours10, samples.least10);
    return {
      method: [
        `A batch of ten, ${CALL_MS} ms for each call of DynamoDB below the SDK's own work, and a handler that waits ${HANDLER_MS} ms. The least is the same waits alone, by the same timers: ten handlers and one call where all are of one group, one handler and one call where each is of its own.`,
      ],
      tables: [
        {
          title: "Batch of ten",
          columns: ["Case", "ms", "x least"],
          rows: [
            row("one group: least", "least1", "least1"),
            row("one group: backlogorder", "ours1", "least1"),
            row("one group: powertools", "powertools1", "least1"),
            row("ten groups: least", "least10", "least10"),
            row("ten groups: backlogorder", "ours10", "least10"),
            row("ten groups: powertools", "powertools10", "least10"),
          ],
        },
      ],
      targets: [
        atMost("one group: 1.2 x (10 handlers + 1 call)", one, 1.2),
        atMost("ten groups: 1.5 x (1 handler + 1 call)", ten, 1.5),
      ],
    };
  },
};

function measures(): Readonly<
  Record<"least1" | "ours1" | "powertools1" | "least10" | "ours10" | "powertools10", Measure>
> {
  const client = stubTransportClient(CALL_MS);
  const handle = async (): Promise<undefined> => void (await delay(HANDLER_MS));
  const ours = backlogorderConsumer({ client, handle });
  const powertools = powertoolsConsumer({ client, handle });
  return {
    least1: () => timeOf(() => waits(BATCH_RECORDS + 1)),
    ours1: batchMs(ours, 1),
    powertools1: batchMs(powertools, 1),
    least10: () => timeOf(() => waits(2)),
    ours10: batchMs(ours, 10),
    powertools10: batchMs(powertools, 10),
  };
}

function batchMs(consumer: Consumer, groups: number): Measure {
  let batch = 0;
  return () => {
    batch += 1;
    const event = batchOf({ groups, name: `batch-${batch}` });
    return timeOf(() => consumer(event));
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Call and handler take the same. */
async function waits(count: number): Promise<void> {
  for (let wait = 0; wait < count; wait += 1) await delay(HANDLER_MS);
}
