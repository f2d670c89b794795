import type { LetterFacts } from "../../../lambdas/core/dead-letter.ts";
import { drainBatch } from "../../../lambdas/core/drain/drain-batch.ts";
import type { DrainEvent } from "../../../lambdas/core/drain/drain-report.ts";
import type { Handler } from "../../../lambdas/core/handler.ts";
import { partitionOf } from "../../../lambdas/core/partition.ts";
import type { BacklogRecord, Delivery, MessageAttributes } from "../../../lambdas/core/record.ts";
import { type Settings, settingsOf } from "../../../lambdas/core/settings.ts";
import { encodeKey } from "../../../lambdas/core/wire/wire.ts";
import { encodeReplay } from "../../../lambdas/core/wire/wire-metadata.ts";
import { MemoryLedger, type TestEffect } from "../memory-ledger.ts";
import { VirtualClock } from "../virtual-clock.ts";

const PARTITIONS = 16;

/** A key of each partition, so that tests can speak of partitions. */
export const KEYS: readonly string[] = Array.from({ length: PARTITIONS }, (_, partition) => {
  for (let n = 0; ; n += 1)
    if (partitionOf(`player:${n}`, PARTITIONS) === partition) return `player:${n}`;
});

export type Stage = ReturnType<typeof stage>;

/** A consumer with in-memory ports and virtual time, and what it did. */
export function stage(
  behaviour: (record: BacklogRecord, stage: Stage) => ReturnType<Handler<TestEffect>> = () =>
    undefined,
  given: Partial<Settings> = {},
) {
  const clock = new VirtualClock();
  const ledger = new MemoryLedger();
  const calls: string[] = [];
  const attempts: number[] = [];
  const letters: (LetterFacts & { readonly body: string })[] = [];
  const visibility: { readonly ids: readonly string[]; readonly seconds: number }[] = [];
  const events: DrainEvent[] = [];
  const faults = { letters: false };
  const settings = settingsOf({ partitions: PARTITIONS, ...given });
  let invocations = 0;
  const self = {
    clock,
    ledger,
    calls,
    attempts,
    letters,
    visibility,
    events,
    faults,
    settings,
    /** Drains one batch as one invocation with the function's whole time ahead, or `aheadMs`. */
    drain(deliveries: readonly Delivery[], aheadMs = settings.consumerTimeoutSeconds * 1000) {
      invocations += 1;
      const invocation = { id: `run-${invocations}`, deadlineMs: clock.nowMs() + aheadMs };
      return clock.run(drainBatch(deliveries, invocation, ports));
    },
    kinds: () => events.map(({ kind }) => kind),
  };
  const ports = {
    handle: async (record: BacklogRecord, { attempt }: { attempt: number }) => {
      calls.push(record.id);
      attempts.push(attempt);
      return behaviour(record, self as Stage);
    },
    ledger,
    deadLetters: {
      async send({ body }: Delivery, facts: LetterFacts) {
        if (faults.letters) throw new Error("the dead-letter queue refused it");
        letters.push({ ...facts, body });
      },
    },
    source: {
      async setVisibility(deliveries: readonly Delivery[], seconds: number) {
        visibility.push({ ids: deliveries.map(({ messageId }) => messageId), seconds });
      },
    },
    clock,
    report: (event: DrainEvent) => void events.push(event),
    random: () => 0,
    settings,
  };
  return self;
}

type Made = Partial<Delivery> & {
  readonly id: string;
  readonly partition?: number;
  readonly offset?: number;
  readonly generation?: number;
  readonly extra?: MessageAttributes;
};

/** A delivery of the wire format; every field that is not given is boring. */
export function delivery({
  id,
  partition = 5,
  offset = 1,
  generation = 0,
  extra,
  ...rest
}: Made): Delivery {
  const sequence = String(18_860_000_000_000_000_000n + BigInt(offset));
  return {
    messageId: `m-${id}`,
    receiptHandle: `handle-${id}`,
    group: String(partition),
    receives: 1,
    sequenceNumber: sequence,
    sentAtMs: 1_700_000_000_000,
    firstReceivedAtMs: 1_700_000_000_000,
    body: `payload of ${id}`,
    attributes: {
      id: { dataType: "String", stringValue: id },
      enqueuedAt: { dataType: "Number", stringValue: "1700000000000" },
      ...encodeKey(KEYS[partition] ?? ""),
      ...(generation === 0
        ? {}
        : {
            replay: encodeReplay({
              generation,
              offset: sequence,
              enqueuedAtMs: 1_700_000_000_000,
              runId: "run",
            }),
          }),
      ...extra,
    },
    ...rest,
  };
}

/** Deliveries of one partition with ids in the order given. */
export function batch(
  ids: readonly string[],
  common: Omit<Made, "id" | "offset"> = {},
): Delivery[] {
  return ids.map((id, index) => delivery({ id, offset: index + 1, ...common }));
}
