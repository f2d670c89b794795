import { describe, expect, it } from "vitest";
import type { BacklogRecord } from "../../../lambdas/core/record.ts";
import { delivery, type Stage, stage } from "./drain-stage.ts";

const effects = ({ id }: BacklogRecord) => ({ effects: [{ add: id }] });

/** More receives than attempts: an outage that lasts. */
async function outlast(at: Stage, call: string, when: "before" | "after" = "before") {
  for (let receives = 2; receives < 12; receives += 1) {
    at.ledger.fault = { call, when };
    await at.drain([delivery({ id: "a", receives })]);
  }
}

describe("an outage that lasts longer than the attempts", () => {
  it.each([
    { call: "applyWithEffects", handle: effects },
    { call: "markApplied", handle: () => undefined },
  ])("charges nothing where $call fails", async ({ call, handle }) => {
    const at = stage(handle);
    await outlast(at, call);
    expect(at.ledger.items.get("a")).toMatchObject({ state: "retrying", attempts: 0 });
    expect(at.letters).toEqual([]);
    expect(await at.drain([delivery({ id: "a", receives: 12 })])).toEqual([]);
    expect(at.ledger.items.get("a")).toMatchObject({ state: "applied" });
  });

  it("charges nothing where the reply to the count is lost each time", async () => {
    const at = stage();
    await outlast(at, "count", "after");
    expect(at.calls).toEqual([]);
    expect(at.ledger.items.get("a")).toMatchObject({ attempts: 0 });
    expect(at.letters).toEqual([]);
  });

  it("charges a replay nothing, so that its one attempt is left", async () => {
    const at = stage(effects);
    const replayed = delivery({ id: "a", generation: 1 });
    at.ledger.fault = { call: "applyWithEffects", when: "before" };
    expect(await at.drain([replayed])).toEqual(["m-a"]);
    expect(await at.drain([{ ...replayed, receives: 2 }])).toEqual([]);
    expect(at.ledger.effects).toEqual(["a"]);
    expect(at.letters).toEqual([]);
  });

  it("leaves an effect that was written as applied", async () => {
    const at = stage(effects);
    at.ledger.fault = { call: "applyWithEffects", when: "after" };
    await at.drain([delivery({ id: "a", receives: 2 })]);
    expect(at.ledger.items.get("a")).toMatchObject({ state: "applied" });
  });

  it("leaves the charge where the record failed by itself", async () => {
    const at = stage(() => {
      throw new Error("no funds");
    });
    at.ledger.fault = { call: "noteFailure", when: "before" };
    await at.drain([delivery({ id: "a", receives: 2 })]);
    expect(at.ledger.items.get("a")).toMatchObject({ state: "retrying", attempts: 1 });
  });

  it("lets the charge stand where it cannot be taken back, and says what failed first", async () => {
    const at = stage(effects);
    at.ledger.uncount = async () => {
      throw new Error("the ledger is down for this, too");
    };
    at.ledger.fault = { call: "applyWithEffects", when: "before" };
    expect(await at.drain([delivery({ id: "a", receives: 2 })])).toEqual(["m-a"]);
    expect(at.ledger.items.get("a")).toMatchObject({ attempts: 1 });
    expect(at.events).toMatchObject([
      { kind: "interrupted", error: new Error("the ledger refused applyWithEffects") },
    ]);
  });
});

describe("a count that takes so long that no time for the call is left", () => {
  it("is taken back, and the record waits uncharged", async () => {
    const at = stage();
    const count = at.ledger.count.bind(at.ledger);
    at.ledger.count = async (...given) => {
      at.clock.block(45_000);
      return count(...given);
    };
    expect(await at.drain([delivery({ id: "a", receives: 2 })], 55_000)).toEqual(["m-a"]);
    expect(at.calls).toEqual([]);
    expect(at.kinds()).toEqual(["outOfTime"]);
    expect(at.ledger.items.get("a")).toMatchObject({ attempts: 0 });
  });
});

describe("a dead-letter queue that cannot be reached", () => {
  it("neither loses the last failure nor lets the attempts grow", async () => {
    const at = stage(
      () => {
        throw new Error("no funds");
      },
      { maxAttempts: 2 },
    );
    at.faults.letters = true;
    for (let receives = 1; receives < 8; receives += 1) {
      expect(await at.drain([delivery({ id: "a", receives })])).toEqual(["m-a"]);
    }
    expect(at.calls).toHaveLength(2);
    expect(at.ledger.items.get("a")).toMatchObject({ attempts: 2, reason: "no funds" });
    at.faults.letters = false;
    expect(await at.drain([delivery({ id: "a", receives: 8 })])).toEqual([]);
    expect(at.letters).toMatchObject([
      { attempts: 2, reason: expect.stringContaining("no funds") },
    ]);
  });

  it("keeps the failure of the last call allowed", async () => {
    let calls = 0;
    const at = stage(
      () => {
        calls += 1;
        throw new Error(`failure ${calls}`);
      },
      { maxAttempts: 2 },
    );
    await at.drain([delivery({ id: "a" })]);
    at.faults.letters = true;
    await at.drain([delivery({ id: "a", receives: 2 })]);
    expect(at.ledger.items.get("a")).toMatchObject({ attempts: 2, reason: "failure 2" });
  });
});
