import type { SQSRecord } from "aws-lambda";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { deliveryOf } from "../../lambdas/aws/sqs-event.ts";
import { LateStartError } from "../../lambdas/core/drain/drain-batch.ts";
import { type HandlerResult, PoisonRecordError } from "../../lambdas/core/handler.ts";
import { REASON_BYTES } from "../../lambdas/core/limits.ts";
import type { Delivery } from "../../lambdas/core/record.ts";
import { readArrival } from "../../lambdas/core/wire/arrival.ts";
import { isSqsText } from "../../lambdas/core/wire/identity.ts";
import { type Stage, stage } from "../core/drain/drain-stage.ts";
import type { TestEffect } from "../core/memory-ledger.ts";
import { brokenRecord, hostileRecord } from "./hostile-records.ts";

const PARTITIONS = 16;
const RUNS = 1500;

const behaviour = fc.constantFrom(
  "done",
  "done",
  "effects",
  "refused effects",
  "throws",
  "throws nothing",
  "poison",
  "odd result",
  "hangs",
);
const fault = fc.record({
  call: fc.constantFrom("standings", "count", "markDead", "markApplied", "addEntry", "noteFailure"),
  when: fc.constantFrom("before", "after"),
});

/** Three deliveries of the same batch, as after time-outs, each with a fault of its own. */
const rounds = fc.array(
  fc.record({
    fault: fc.option(fault, { nil: undefined, freq: 2 }),
    letters: fc.boolean(),
    receives: fc.constantFrom(undefined, "1", "2", "9"),
  }),
  { minLength: 1, maxLength: 3 },
);

type Round = {
  readonly fault: { readonly call: string; readonly when: "before" | "after" } | undefined;
  readonly letters: boolean;
  readonly receives: string | undefined;
};

type Played = {
  readonly stage: Stage;
  /** Ids for which the handler said that it is done. */
  readonly done: Set<string>;
};

function played(behaviours: readonly string[]): Played {
  const done = new Set<string>();
  let calls = 0;
  const set = stage(({ id }) => {
    calls += 1;
    return act(behaviours[calls % behaviours.length] ?? "done", id, done);
  });
  return { stage: set, done };
}

async function act(how: string, id: string, done: Set<string>): Promise<HandlerResult<TestEffect>> {
  switch (how) {
    case "effects":
      return { effects: [{ add: id }] };
    case "refused effects":
      return { effects: [{ add: id, refuse: true }] };
    case "throws":
      throw Object.assign(new Error("no text"), { message: "" });
    case "throws nothing":
      return Promise.reject(undefined);
    case "poison":
      throw new PoisonRecordError("no \ud800 good \0");
    case "odd result":
      return 7 as unknown as undefined;
    case "hangs":
      return new Promise(() => {});
    default:
      done.add(id);
      return undefined;
  }
}

/** Drains one round and returns what it acknowledged: nothing where the invocation failed. */
async function drain(
  { stage: set }: Played,
  records: readonly SQSRecord[],
  round: Round,
): Promise<readonly Delivery[]> {
  set.ledger.fault = round.fault;
  set.faults.letters = round.letters;
  const nowMs = set.clock.nowMs();
  const deliveries = records
    .map((record) => deliveryOf(record, nowMs))
    .map((one) =>
      round.receives === undefined ? one : { ...one, receives: Number(round.receives) },
    );
  const callsBefore = set.calls.length + set.ledger.calls.length;
  try {
    const failed = await set.drain(deliveries);
    expect(deliveries.map(({ messageId }) => messageId)).toEqual(
      expect.arrayContaining([...failed]),
    );
    return deliveries.filter(({ messageId }) => !failed.includes(messageId));
  } catch (error) {
    if (!(error instanceof LateStartError)) throw error;
    expect(set.calls.length + set.ledger.calls.length).toBe(callsBefore);
    return [];
  }
}

/** What was acknowledged and is nowhere to be found: neither a letter, nor done and remembered, nor
 *  overtaken by a newer generation. */
function lostOf({ stage: set, done }: Played, acknowledged: readonly Delivery[]): Delivery[] {
  const { ledger, letters } = set;
  return acknowledged.filter((delivery) => {
    const { id, generation } = readArrival(delivery, PARTITIONS).identity;
    const item = ledger.items.get(id);
    const handled = done.has(id) || ledger.effects.includes(id);
    const known = item?.state === "applied" || ledger.entries.some(({ ids }) => ids.has(id));
    const overtaken = item !== undefined && item.generation > generation;
    return !overtaken && !(handled && known) && !letters.some((letter) => letter.id === id);
  });
}

function expectSoundLetters({ stage: set }: Played, records: readonly SQSRecord[]): void {
  const bodies = new Set(records.map(({ body }) => body));
  for (const { body, reason } of set.letters) {
    expect(bodies.has(body) && isSqsText(reason)).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(reason)) - 2).toBeLessThanOrEqual(REASON_BYTES);
  }
}

test("acknowledges no record of hostile content that was not applied, dead-lettered or settled before", async () => {
  let acknowledged = 0;
  const cases = [
    fc.array(hostileRecord(PARTITIONS), { minLength: 1, maxLength: 10 }),
    fc.array(behaviour, { minLength: 1, maxLength: 10 }),
    rounds,
  ] as const;
  await fc.assert(
    fc.asyncProperty(...cases, async (records, behaviours, plan) => {
      const run = played(behaviours);
      for (const round of plan) {
        const acked = await drain(run, records, round);
        acknowledged += acked.length;
        expect(lostOf(run, acked)).toEqual([]);
        expectSoundLetters(run, records);
      }
    }),
    { numRuns: RUNS },
  );
  // Else nothing was tried: hostile as they are, many records can be settled.
  expect(acknowledged).toBeGreaterThan(RUNS);
}, 30_000);

test("fails the invocation or accounts for every record when events have no shape of Lambda's", async () => {
  const cases = [
    fc.array(brokenRecord(PARTITIONS), { minLength: 1, maxLength: 5 }),
    fc.array(behaviour, { minLength: 1, maxLength: 5 }),
  ] as const;
  await fc.assert(
    fc.asyncProperty(...cases, async (records, behaviours) => {
      const run = played(behaviours);
      const round: Round = { fault: undefined, letters: false, receives: undefined };
      const acked = await drain(run, records as SQSRecord[], round).catch((error: unknown) => {
        expect(error).toBeInstanceOf(TypeError);
        return [];
      });
      expect(lostOf(run, acked)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}, 30_000);
