import { describe, expect, it } from "vitest";
import type { LedgerItem } from "../../../lambdas/core/ledger.ts";
import type { BacklogRecord } from "../../../lambdas/core/record.ts";
import { batch, delivery, KEYS, stage } from "./drain-stage.ts";

const failing =
  (id: string) =>
  (record: BacklogRecord): undefined => {
    if (record.id === id) throw new Error(`${id} cannot be handled`);
    return undefined;
  };

/** What the ledger holds of record `a`, which failed twice and is to be tried again. */
function itemOfA(given: Partial<LedgerItem> = {}): LedgerItem {
  return {
    id: "a",
    key: KEYS[5] ?? "",
    partition: 5,
    offset: "18860000000000000001",
    enqueuedAtMs: 1_700_000_000_000,
    generation: 0,
    attempts: 2,
    state: "retrying",
    attemptId: "an earlier process",
    messageId: undefined,
    reason: "no",
    failedAtMs: 1_700_000_000_000,
    ...given,
  };
}

describe("a record that was settled before", () => {
  it("is handled once where a batch holds two messages of it", async () => {
    const at = stage();
    const copies = [
      delivery({ id: "a", offset: 1 }),
      delivery({ id: "a", offset: 2, messageId: "m2" }),
    ];
    expect(await at.drain(copies)).toEqual([]);
    expect(at.calls).toEqual(["a"]);
  });

  it("does not speak for another message of its id where it is a dead letter", async () => {
    const at = stage();
    const encoding = { dataType: "String", stringValue: "base64" };
    const unreadable = delivery({ id: "a", offset: 1, extra: { encoding } });
    const good = delivery({ id: "a", offset: 2, messageId: "m2" });
    expect(await at.drain([unreadable, good])).toEqual([]);
    expect(at.letters).toMatchObject([{ id: "a", attempts: 0 }]);
    expect(at.calls).toEqual(["a"]);
  });

  it("does not speak for another message of its id where only its acknowledgement as a dead letter was lost", async () => {
    const at = stage();
    at.ledger.items.set("a", itemOfA({ state: "dead", messageId: "m-a" }));
    // Its letter was moved back by hand and came as the second message: no other holds the body.
    const copies = [
      delivery({ id: "a", offset: 1, receives: 2 }),
      delivery({ id: "a", offset: 2, messageId: "m2" }),
    ];
    expect(await at.drain(copies)).toEqual([]);
    expect(at.calls).toEqual(["a"]);
  });

  it("is kept with its copy where the first of the two fails", async () => {
    const at = stage(failing("a"));
    const copies = [
      delivery({ id: "a", offset: 1 }),
      delivery({ id: "a", offset: 2, messageId: "m2" }),
    ];
    expect(await at.drain(copies)).toEqual(["m-a", "m2"]);
    expect(at.calls).toEqual(["a"]);
  });

  it("is listed as blocked no more once a batch entry is found to name it", async () => {
    const at = stage();
    at.ledger.items.set("a", itemOfA());
    await at.ledger.addEntry(5, [{ id: "a", key: KEYS[5] ?? "", offset: "1" }]);
    expect(await at.drain([delivery({ id: "a", receives: 2 })])).toEqual([]);
    expect(at.calls).toEqual([]);
    expect(at.ledger.items.get("a")).toMatchObject({ state: "applied" });
  });

  it("is acknowledged as the very message that died, when only its acknowledgement was lost", async () => {
    const at = stage();
    at.ledger.items.set("a", itemOfA({ state: "dead", messageId: "m-a" }));
    expect(await at.drain([delivery({ id: "a", receives: 2 })])).toEqual([]);
    expect(at.calls).toEqual([]);
  });

  it("is acknowledged as an older copy while its replay is still being tried", async () => {
    const at = stage();
    at.ledger.items.set("a", itemOfA({ generation: 2 }));
    expect(await at.drain([delivery({ id: "a", generation: 1 })])).toEqual([]);
    expect(at.calls).toEqual([]);
    expect(at.ledger.items.get("a")).toMatchObject({ state: "retrying", generation: 2 });
  });
});

describe("a record that was not settled", () => {
  it("is handled as another message of a record that died, from its first attempt on", async () => {
    const at = stage();
    at.ledger.items.set("a", itemOfA({ state: "dead", attempts: 3, messageId: "the dead one" }));
    expect(await at.drain([delivery({ id: "a", receives: 2 })])).toEqual([]);
    expect(at.attempts).toEqual([1]);
    expect(at.ledger.items.get("a")).toMatchObject({ state: "applied" });
  });

  it("is not charged in its replay for the attempts of the generation before", async () => {
    const at = stage();
    at.ledger.items.set("a", itemOfA({ attempts: 2 }));
    expect(await at.drain([delivery({ id: "a", generation: 1 })])).toEqual([]);
    expect(at.attempts).toEqual([1]);
    expect(at.letters).toEqual([]);
  });

  it("goes on beside a failing partition where events carry no group", async () => {
    const at = stage(failing("a"));
    const records = [...batch(["a", "b"]), delivery({ id: "x", partition: 6 })];
    const ungrouped = records.map((one) => ({ ...one, group: undefined }));
    expect(await at.drain(ungrouped)).toEqual(["m-a", "m-b"]);
    expect(at.calls.toSorted()).toEqual(["a", "x"]);
  });
});
