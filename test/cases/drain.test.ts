import type { SQSRecord } from "aws-lambda";
import { expect, it } from "vitest";
import { deliveryOf } from "../../lambdas/aws/sqs-event.ts";
import { partitionOf } from "../../lambdas/core/partition.ts";
import type { BacklogRecord } from "../../lambdas/core/record.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";
import { compareOffsets } from "../../lambdas/core/wire/offset.ts";
import { encodeKey } from "../../lambdas/core/wire/wire.ts";
import { batch, delivery, KEYS, stage } from "../core/drain/drain-stage.ts";

const failing =
  (...ids: string[]) =>
  ({ id }: BacklogRecord): undefined => {
    if (ids.includes(id)) throw new Error(`${id} cannot be handled`);
    return undefined;
  };

const withEffect = ({ id }: BacklogRecord) => ({ effects: [{ add: id }] });

it("C01: reports the failed record and every untouched one behind it, and loses none", async () => {
  let broken = true;
  const at = stage((record) => (broken ? failing("m2")(record) : undefined));
  expect(await at.drain(batch(["m1", "m2", "m3", "m4"]))).toEqual(["m-m2", "m-m3", "m-m4"]);
  expect(at.calls).toEqual(["m1", "m2"]);
  broken = false;
  expect(await at.drain(batch(["m2", "m3", "m4"], { receives: 2 }))).toEqual([]);
  expect(at.calls).toEqual(["m1", "m2", "m2", "m3", "m4"]);
});

it("C03: stops the failed group alone where a batch holds several", async () => {
  const at = stage(failing("A"));
  const records = [
    delivery({ id: "A", partition: 1 }),
    delivery({ id: "X", partition: 2 }),
    delivery({ id: "B", partition: 1, offset: 2 }),
    delivery({ id: "Y", partition: 2, offset: 2 }),
    delivery({ id: "Z", partition: 3 }),
  ];
  expect(await at.drain(records)).toEqual(["m-A", "m-B"]);
  expect(at.calls.toSorted()).toEqual(["A", "X", "Y", "Z"]);
});

it("C03: groups records that carry no group id by their key, never under one shared nothing", async () => {
  const at = stage(failing("A"));
  const records = [
    delivery({ id: "A", partition: 1, group: undefined }),
    delivery({ id: "B", partition: 1, group: undefined }),
    delivery({ id: "X", partition: 2, group: undefined }),
  ];
  expect(await at.drain(records)).toEqual(["m-A", "m-B"]);
  expect(at.calls.toSorted()).toEqual(["A", "X"]);
});

it("C07: runs one group's records one after another, however long each takes", async () => {
  const steps: string[] = [];
  const at = stage(async ({ id }, { clock }) => {
    steps.push(`start ${id}`);
    await clock.sleep(id === "m1" ? 50 : 1);
    steps.push(`end ${id}`);
    return undefined;
  });
  const records = [...batch(["m1", "m2"]), delivery({ id: "x", partition: 6 })];
  expect(await at.drain(records)).toEqual([]);
  expect(steps.filter((step) => step.includes("m"))).toEqual([
    "start m1",
    "end m1",
    "start m2",
    "end m2",
  ]);
  expect(steps.indexOf("end x")).toBeLessThan(steps.indexOf("end m1"));
});

it("C09: reads the receive count as a number from where SQS puts it, and counts attempts apart from it", async () => {
  const record = {
    messageId: "m-a",
    receiptHandle: "handle-a",
    body: "x",
    attributes: { ApproximateReceiveCount: "10" },
    messageAttributes: {
      ApproximateReceiveCount: { dataType: "Number", stringValue: "1" },
    },
  } as unknown as SQSRecord;
  expect(deliveryOf(record, 0).receives).toBe(10);

  const at = stage(failing("a"), { maxAttempts: 9, visibilityTimeoutSeconds: 360 });
  expect(await at.drain([delivery({ id: "a", receives: 10 })])).toEqual(["m-a"]);
  expect(at.attempts).toEqual([1]);
  expect(at.letters).toEqual([]);
});

it("C09: refuses a maximum below one attempt where the reference takes it for one", () => {
  for (const maxAttempts of [0, -1]) {
    expect(() => settingsOf({ maxAttempts })).toThrow(/`maxAttempts` .* from 1 /);
  }
});

const TIGHT = {
  handlerTimeoutSeconds: 5,
  deadlineMarginSeconds: 1,
  consumerTimeoutSeconds: 10,
  visibilityTimeoutSeconds: 61,
};

it("C10: starts nothing that the time left is too short for, and charges it to nobody", async () => {
  const at = stage(async (_, { clock }) => {
    await clock.sleep(4000);
    return undefined;
  }, TIGHT);
  const ids = ["m1", "m2", "m3", "m4", "m5"];
  expect(await at.drain(batch(ids))).toEqual(["m-m3", "m-m4", "m-m5"]);
  expect(at.calls).toEqual(["m1", "m2"]);
  expect(at.ledger.items.size).toBe(0);
});

it("C10: acknowledges what a killed invocation had finished, without a second effect", async () => {
  const at = stage(withEffect);
  // The process dies after these two, before its answer.
  await at.drain(batch(["m1", "m2"]));
  expect(await at.drain(batch(["m1", "m2", "m3"], { receives: 2 }))).toEqual([]);
  expect(at.calls).toEqual(["m1", "m2", "m3"]);
  expect(at.ledger.effects).toEqual(["m1", "m2", "m3"]);
});

it("C11: applies a record once when a late worker ends after the second one", async () => {
  const at = stage(
    async (record, { calls, clock }) => {
      await clock.sleep(calls.length === 1 ? 8000 : 1000);
      return withEffect(record);
    },
    { visibilityTimeoutSeconds: 61 },
  );
  const late = at.drain(batch(["A"]));
  const second = at.clock.sleep(5000).then(() => at.drain(batch(["A"], { receives: 2 })));
  expect(await second).toEqual([]);
  expect(await late).toEqual([]);
  expect(at.calls).toEqual(["A", "A"]);
  expect(at.ledger.effects).toEqual(["A"]);
});

it("C16: keeps no claim that a dead owner could hold: a retry runs at once, charged for the dead call", async () => {
  const at = stage(withEffect);
  at.ledger.items.set("a", {
    id: "a",
    key: KEYS[5] ?? "",
    partition: 5,
    offset: "1",
    enqueuedAtMs: 0,
    generation: 0,
    attempts: 1,
    state: "retrying",
    attemptId: "a process that died",
    messageId: undefined,
    reason: undefined,
    failedAtMs: undefined,
  });
  const record = at.ledger.items.get("a");
  expect(await at.drain([delivery({ id: "a", receives: 2 })])).toEqual([]);
  expect(at.attempts).toEqual([2]);
  expect(record && (await at.ledger.applyWithEffects(record, [{ add: "again" }]))).toEqual({
    kind: "already",
  });
  expect(at.ledger.effects).toEqual(["a"]);
});

it("C20: acknowledges what is seen and done, and runs again what is seen and failed", async () => {
  const at = stage(failing("bad"));
  const both = [delivery({ id: "done", partition: 1 }), delivery({ id: "bad", partition: 2 })];
  expect(await at.drain(both)).toEqual(["m-bad"]);
  const again = both.map((one) => ({ ...one, receives: 2 }));
  expect(await at.drain(again)).toEqual(["m-bad"]);
  expect(at.calls.toSorted()).toEqual(["bad", "bad", "done"]);
  expect(at.letters).toEqual([]);
});

it("C25: tells the handler that a record is a replay, with its first offset and publish time", async () => {
  const state = new Map<string, string>();
  const seen: BacklogRecord[] = [];
  const at = stage((record) => {
    seen.push(record);
    const latest = state.get(record.key) ?? "0";
    if (compareOffsets(record.offset, latest) > 0) state.set(record.key, record.offset ?? "0");
    return undefined;
  });
  await at.drain([delivery({ id: "newer", offset: 11 })]);
  const replayed = delivery({ id: "older", offset: 10, generation: 1 });
  expect(await at.drain([{ ...replayed, sequenceNumber: "18860000000000000099" }])).toEqual([]);
  expect(seen[1]).toMatchObject({
    offset: "18860000000000000010",
    generation: 1,
    enqueuedAtMs: 1_700_000_000_000,
  });
  expect(state.get(KEYS[5] ?? "")).toBe("18860000000000000011");
  expect(at.ledger.items.get("older")).toMatchObject({ state: "applied" });
});

it("C29: acknowledges nothing and lets nothing past while the letter is refused", async () => {
  const at = stage(failing("A"));
  for (const receives of [1, 2]) await at.drain(batch(["A", "B"], { receives }));
  at.faults.letters = true;
  for (const receives of [3, 4]) {
    expect(await at.drain(batch(["A", "B"], { receives }))).toEqual(["m-A", "m-B"]);
  }
  expect(at.letters).toEqual([]);
  expect(at.calls).not.toContain("B");
  at.faults.letters = false;
  expect(await at.drain(batch(["A", "B"], { receives: 5 }))).toEqual([]);
  expect(at.letters.map(({ id }) => id)).toEqual(["A"]);
  expect(at.calls).toEqual(["A", "A", "A", "B"]);
});

it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
  "C35: treats the key %s as any other: grouped, retried, isolated",
  async (key) => {
    const at = stage(failing("poison"));
    const partition = partitionOf(key, 16);
    const extra = { ...encodeKey(key), ["__proto__"]: { dataType: "String", stringValue: "own" } };
    for (const receives of [1, 2, 3]) {
      await at.drain(batch(["poison", key], { partition, extra, receives }));
    }
    expect(at.calls).toEqual(["poison", "poison", "poison", key]);
    expect(at.letters).toMatchObject([{ id: "poison", partition, attempts: 3 }]);
    expect(at.ledger.items.get("poison")).toMatchObject({ key, state: "dead" });
  },
);

it("C39: takes offsets that are equal as JavaScript numbers for two records", async () => {
  const at = stage();
  const offsets = ["9007199254740992", "9007199254740993"];
  const records = offsets.map((sequenceNumber) => ({
    ...delivery({ id: `at ${sequenceNumber}` }),
    sequenceNumber,
  }));
  expect(await at.drain(records)).toEqual([]);
  expect(at.calls).toEqual(["at 9007199254740992", "at 9007199254740993"]);
  expect([...(at.ledger.entries[0]?.ids ?? [])]).toHaveLength(2);
});
