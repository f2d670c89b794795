import { describe, expect, it } from "vitest";
import { LateStartError } from "../../../lambdas/core/drain/drain-batch.ts";
import { PoisonRecordError } from "../../../lambdas/core/handler.ts";
import type { BacklogRecord } from "../../../lambdas/core/record.ts";
import { batch, delivery, KEYS, stage } from "./drain-stage.ts";

const NOTHING = "";

const failing =
  (...ids: string[]) =>
  ({ id }: BacklogRecord): undefined => {
    if (ids.includes(id)) throw new Error(`${id} cannot be handled`);
    return undefined;
  };

describe("a batch received for the first time", () => {
  it("acknowledges ten plain successes with no ledger read and one write", async () => {
    const at = stage();
    const ids = Array.from({ length: 10 }, (_, n) => `r${n}`);
    expect(await at.drain(batch(ids))).toEqual([]);
    expect(at.calls).toEqual(ids);
    expect(at.ledger.calls).toEqual(["addEntry"]);
    expect([...(at.ledger.entries[0]?.ids ?? [])]).toEqual(ids);
  });

  it("writes one entry for each of ten groups, side by side", async () => {
    const at = stage(async (_, { clock }) => {
      await clock.sleep(100);
      return undefined;
    });
    const startMs = at.clock.nowMs();
    const records = Array.from({ length: 10 }, (_, n) => delivery({ id: `r${n}`, partition: n }));
    expect(await at.drain(records)).toEqual([]);
    expect(at.ledger.calls).toEqual(Array(10).fill("addEntry"));
    expect(at.clock.nowMs() - startMs).toBe(100);
  });

  it("runs one transaction for each record that returns effects", async () => {
    const at = stage(({ id }) => ({ effects: [{ add: id }] }));
    expect(await at.drain(batch(["a", "b"]))).toEqual([]);
    expect(at.ledger.calls).toEqual(["applyWithEffects", "applyWithEffects"]);
    expect(at.ledger.effects).toEqual(["a", "b"]);
  });

  it("stops a group at its first failure and lists the failed record and all behind it", async () => {
    const at = stage(failing("b"));
    expect(await at.drain(batch(["a", "b", "c", "d"]))).toEqual(["m-b", "m-c", "m-d"]);
    expect(at.calls).toEqual(["a", "b"]);
    expect(at.ledger.items.get("b")).toMatchObject({
      state: "retrying",
      attempts: 1,
      reason: "b cannot be handled",
    });
    expect([...(at.ledger.entries[0]?.ids ?? [])]).toEqual(["a"]);
  });

  it("hides the whole stopped tail for the same back-off", async () => {
    const at = stage(failing("a"));
    await at.drain(batch(["a", "b", "c"]));
    expect(at.visibility).toEqual([{ ids: ["m-a", "m-b", "m-c"], seconds: 2 }]);
  });

  it("lets healthy groups go on beside a failing one", async () => {
    const at = stage(failing("a1"));
    const records = [
      delivery({ id: "a1", partition: 1 }),
      delivery({ id: "x", partition: 2 }),
      delivery({ id: "a2", partition: 1, offset: 2 }),
      delivery({ id: "y", partition: 2, offset: 2 }),
    ];
    expect(await at.drain(records)).toEqual(["m-a1", "m-a2"]);
    expect(at.calls.toSorted()).toEqual(["a1", "x", "y"]);
  });

  it("takes the key's partition as the group where the event carries none", async () => {
    const at = stage(failing("a"));
    const records = batch(["a", "b"]).map((one) => ({ ...one, group: undefined }));
    expect(await at.drain(records)).toEqual(["m-a", "m-b"]);
    expect(at.calls).toEqual(["a"]);
  });

  it("throws before touching anything when it starts too late", async () => {
    const at = stage();
    const spareMs = 300_000;
    at.clock.block(spareMs + 1);
    await expect(at.drain(batch(["a"]))).rejects.toThrow(LateStartError);
    expect(at.calls).toEqual([]);
    expect(at.ledger.calls).toEqual([]);
  });

  it("returns what no time is left for, uncharged and visible again at once", async () => {
    const at = stage(async (_, { clock }) => {
      await clock.sleep(9000);
      return undefined;
    });
    expect(await at.drain(batch(["a", "b"]), 20_000)).toEqual(["m-b"]);
    expect(at.visibility).toEqual([{ ids: ["m-b"], seconds: 0 }]);
    expect(at.ledger.items.has("b")).toBe(false);
    expect([...(at.ledger.entries[0]?.ids ?? [])]).toEqual(["a"]);
  });
});

describe("a record that cannot be handled", () => {
  it("is tried maxAttempts times, then isolated, and its partition goes on", async () => {
    const at = stage(failing("a"));
    expect(await at.drain(batch(["a", "b"]))).toEqual(["m-a", "m-b"]);
    expect(await at.drain(batch(["a", "b"], { receives: 2 }))).toEqual(["m-a", "m-b"]);
    expect(await at.drain(batch(["a", "b"], { receives: 3 }))).toEqual([]);
    expect(at.calls).toEqual(["a", "a", "a", "b"]);
    expect(at.attempts).toEqual([1, 2, 3, 1]);
    expect(at.letters).toMatchObject([
      { id: "a", attempts: 3, reason: "a cannot be handled", body: "payload of a" },
    ]);
    expect(at.ledger.items.get("a")).toMatchObject({ state: "dead", messageId: "m-a" });
  });

  it("never charges the records that waited behind it", async () => {
    const at = stage(failing("a"));
    await at.drain(batch(["a", "b"]));
    await at.drain(batch(["a", "b"], { receives: 2 }));
    expect(at.ledger.items.has("b")).toBe(false);
  });

  it("is isolated at once when the handler says it is poison", async () => {
    const at = stage(() => {
      throw new PoisonRecordError("no such currency");
    });
    expect(await at.drain([delivery({ id: "a" })])).toEqual([]);
    expect(at.letters).toMatchObject([{ attempts: 1, reason: "no such currency" }]);
  });

  it("dies at its next failure when a deploy lowered the maximum below its attempts", async () => {
    const at = stage(failing("a"), { maxAttempts: 2 });
    at.ledger.items.set("a", {
      id: "a",
      key: KEYS[5] ?? "",
      partition: 5,
      offset: "1",
      enqueuedAtMs: 0,
      generation: 0,
      attempts: 1,
      state: "retrying",
      attemptId: "earlier",
      messageId: undefined,
      reason: undefined,
      failedAtMs: undefined,
    });
    expect(await at.drain([delivery({ id: "a", receives: 2 })])).toEqual([]);
    expect(at.letters).toMatchObject([{ attempts: 2 }]);
  });

  it.each([
    { what: "an Error with empty text", thrown: new Error(NOTHING), reason: "Error" },
    { what: "undefined", thrown: undefined, reason: "undefined" },
    { what: "null", thrown: null, reason: "null" },
    {
      what: "an object without a prototype",
      thrown: Object.create(null),
      reason: "a value that cannot be shown as text",
    },
  ])("counts a throw of $what as a failed attempt", async ({ thrown, reason }) => {
    const at = stage(() => {
      throw thrown;
    });
    expect(await at.drain([delivery({ id: "a" })])).toEqual(["m-a"]);
    expect(at.ledger.items.get("a")).toMatchObject({ attempts: 1, reason });
  });

  it.each([
    { what: "null", result: null },
    { what: "a text", result: "done" },
    { what: "effects that are no list", result: { effects: "x" } },
    { what: "effects beside another field", result: { effects: [], also: 1 } },
  ])("counts a result of $what as a failed attempt", async ({ result }) => {
    const at = stage(() => result as never);
    expect(await at.drain([delivery({ id: "a" })])).toEqual(["m-a"]);
    expect(at.ledger.items.get("a")).toMatchObject({ state: "retrying", attempts: 1 });
  });

  it("is poison when it returns more effects than a transaction takes", async () => {
    const at = stage(() => ({ effects: Array.from({ length: 100 }, () => ({ add: "x" })) }));
    expect(await at.drain([delivery({ id: "a" })])).toEqual([]);
    expect(at.letters).toHaveLength(1);
    expect(at.ledger.effects).toEqual([]);
  });

  it("is charged when a condition of the game's own effects fails", async () => {
    const at = stage(() => ({ effects: [{ add: "x", refuse: true }] }));
    expect(await at.drain([delivery({ id: "a" })])).toEqual(["m-a"]);
    expect(at.ledger.items.get("a")).toMatchObject({ attempts: 1, reason: "no funds" });
  });
});

describe("a record that kills the process", () => {
  it("is counted before each call from its second receive on, and leaves without a further call", async () => {
    const killed = new Error("the process died here");
    const at = stage(() => new Promise(() => {}));
    for (const attempts of [1, 2, 3]) {
      const run = at.drain([delivery({ id: "a", receives: attempts + 1 })]).catch(() => killed);
      // The handler never settles: the attempt times out in virtual time and is charged once.
      await run;
      if (attempts < 3) expect(at.ledger.items.get("a")).toMatchObject({ attempts });
    }
    expect(at.calls).toHaveLength(3);
    expect(at.letters).toMatchObject([{ id: "a", attempts: 3 }]);
  });

  it("dies with `no outcome` when its attempts were used up by calls that never came back", async () => {
    const at = stage();
    at.ledger.items.set("a", {
      id: "a",
      key: KEYS[5] ?? "",
      partition: 5,
      offset: "1",
      enqueuedAtMs: 0,
      generation: 0,
      attempts: 3,
      state: "retrying",
      attemptId: "a dead process",
      messageId: undefined,
      reason: undefined,
      failedAtMs: undefined,
    });
    expect(await at.drain(batch(["a", "b"], { receives: 5 }))).toEqual([]);
    expect(at.letters).toMatchObject([
      { id: "a", reason: "no outcome after 3 attempts (crash or time-out)" },
    ]);
    expect(at.calls).toEqual(["b"]);
  });

  it.each([
    { attempts: 3, reason: "no funds", why: "the maximum was lowered below what was reached" },
    {
      attempts: 2,
      reason: "no outcome after 2 attempts (crash or time-out); the last known failure: no funds",
      why: "the last call may have taken the process with it",
    },
  ])("says why it failed last where no attempt is left: $why", async ({ attempts, reason }) => {
    const at = stage(() => undefined, { maxAttempts: 2 });
    at.ledger.items.set("a", {
      id: "a",
      key: KEYS[5] ?? "",
      partition: 5,
      offset: "1",
      enqueuedAtMs: 0,
      generation: 0,
      attempts,
      state: "retrying",
      attemptId: "an earlier process",
      messageId: undefined,
      reason: "no funds",
      failedAtMs: 1,
    });
    expect(await at.drain([delivery({ id: "a", receives: 5 })])).toEqual([]);
    expect(at.letters).toMatchObject([{ id: "a", attempts, reason }]);
    expect(at.calls).toEqual([]);
  });
});

describe("a careful batch", () => {
  it("asks the ledger once and runs its groups one after another", async () => {
    const running: string[] = [];
    let most = 0;
    const at = stage(async ({ id }, { clock }) => {
      running.push(id);
      most = Math.max(most, running.length);
      await clock.sleep(10);
      running.splice(running.indexOf(id), 1);
      return undefined;
    });
    const records = [
      delivery({ id: "a", partition: 1, receives: 2 }),
      delivery({ id: "b", partition: 2 }),
      delivery({ id: "c", partition: 3 }),
    ];
    expect(await at.drain(records)).toEqual([]);
    expect(most).toBe(1);
    expect(at.ledger.calls.filter((call) => call === "standings")).toHaveLength(1);
  });

  it("marks a counted success applied before the next handler call", async () => {
    const at = stage(({ id }, { ledger }) => {
      if (id === "b") expect(ledger.items.get("a")).toMatchObject({ state: "applied" });
      return undefined;
    });
    expect(await at.drain(batch(["a", "b"], { receives: 2 }))).toEqual([]);
    expect(at.calls).toEqual(["a", "b"]);
  });

  it("acknowledges what a batch entry names without a call", async () => {
    const at = stage(failing("b"));
    await at.drain(batch(["a", "b"]));
    at.calls.length = 0;
    await at.drain(batch(["a", "b"], { receives: 2 }));
    expect(at.calls).toEqual(["b"]);
    expect(at.ledger.items.has("a")).toBe(false);
  });

  it("charges nothing and keeps every record when the ledger cannot be read", async () => {
    const at = stage();
    at.ledger.fault = { call: "standings", when: "before" };
    expect(await at.drain(batch(["a", "b"], { receives: 2 }))).toEqual(["m-a", "m-b"]);
    expect(at.calls).toEqual([]);
    expect(at.ledger.items.size).toBe(0);
  });

  it("counts once when the reply to the count was lost", async () => {
    const at = stage(failing("a"));
    at.ledger.fault = { call: "count", when: "after" };
    const repeated = at.ledger.count.bind(at.ledger);
    at.ledger.count = async (...args) => {
      try {
        return await repeated(...args);
      } catch {
        return repeated(...args); // what the SDK does with a lost reply
      }
    };
    await at.drain([delivery({ id: "a", receives: 2 })]);
    expect(at.ledger.items.get("a")).toMatchObject({ attempts: 1 });
    expect(at.calls).toEqual(["a"]);
  });
});

describe("a failure that is not the record's", () => {
  it("returns the group from its first unrecorded success when the entry cannot be written", async () => {
    const at = stage();
    at.ledger.fault = { call: "addEntry", when: "before" };
    expect(await at.drain(batch(["a", "b"]))).toEqual(["m-a", "m-b"]);
    expect(at.visibility).toEqual([]);
    expect(at.kinds()).toContain("interrupted");
  });

  it("keeps a record at the head when its letter is refused", async () => {
    const at = stage(() => {
      throw new PoisonRecordError("no");
    });
    at.faults.letters = true;
    expect(await at.drain(batch(["a", "b"]))).toEqual(["m-a", "m-b"]);
    expect(at.ledger.items.get("a")).toMatchObject({ state: "retrying", attempts: 1 });
    expect(at.visibility).toEqual([]);
  });

  it("takes a transaction of unknown outcome for a failure and leaves its attempts alone", async () => {
    const at = stage(({ id }) => ({ effects: [{ add: id }] }));
    at.ledger.fault = { call: "applyWithEffects", when: "after" };
    expect(await at.drain([delivery({ id: "a" })])).toEqual(["m-a"]);
    expect(await at.drain([delivery({ id: "a", receives: 2 })])).toEqual([]);
    expect(at.ledger.effects).toEqual(["a"]);
    expect(at.letters).toEqual([]);
  });
});

describe("a message that no handler may see", () => {
  it.each([
    {
      what: "has no id",
      made: delivery({ id: "a", extra: { id: { dataType: "String", stringValue: "" } } }),
      reason: /^malformed message: `id`/,
    },
    {
      what: "says base64 and is not",
      made: delivery({
        id: "a",
        extra: { encoding: { dataType: "String", stringValue: "base64" } },
      }),
      reason: /^malformed message: the body/,
    },
    {
      what: "came in another partition's group",
      made: delivery({ id: "a", partition: 7, group: "9" }),
      reason: /^misrouted: key belongs to 7 of 16, came in 9$/,
    },
  ])("becomes a dead letter at once, body untouched, when it $what", async ({ made, reason }) => {
    const at = stage();
    expect(await at.drain([made])).toEqual([]);
    expect(at.calls).toEqual([]);
    expect(at.letters).toEqual([
      expect.objectContaining({
        body: "payload of a",
        attempts: 0,
        reason: expect.stringMatching(reason),
      }),
    ]);
  });
});

describe("a replayed record", () => {
  it("has one attempt and is back in the dead-letter queue after it", async () => {
    const at = stage(failing("a"));
    expect(await at.drain([delivery({ id: "a", generation: 1 })])).toEqual([]);
    expect(at.calls).toEqual(["a"]);
    expect(at.letters).toMatchObject([{ id: "a", generation: 1, attempts: 1 }]);
  });

  it("is counted before its call although it was never received before", async () => {
    const at = stage(({ id }, { ledger }) => {
      expect(ledger.items.get(id)).toMatchObject({ generation: 1, attempts: 1 });
      return undefined;
    });
    expect(await at.drain([delivery({ id: "a", generation: 1 })])).toEqual([]);
    expect(at.ledger.items.get("a")).toMatchObject({ state: "applied", generation: 1 });
  });

  it("is acknowledged when its generation is older than the ledger's", async () => {
    const at = stage();
    await at.drain([delivery({ id: "a", generation: 2 })]);
    expect(await at.drain([delivery({ id: "a", generation: 1 })])).toEqual([]);
    expect(at.calls).toEqual(["a"]);
  });
});
