import { expect, it } from "vitest";
import type { BacklogRecord } from "../../../lambdas/core/record.ts";
import { delivery, stage } from "./drain-stage.ts";

const failing = ({ id }: BacklogRecord): never => {
  throw new Error(`${id} cannot be handled`);
};

it.each([
  { receives: 1, why: "counted after its call" },
  { receives: 2, why: "counted before it" },
])("a failed attempt leaves its reason in the ledger: $why", async ({ receives }) => {
  const at = stage(failing);
  await at.drain([delivery({ id: "a", receives })]);
  expect(at.ledger.items.get("a")).toMatchObject({
    state: "retrying",
    attempts: 1,
    reason: "a cannot be handled",
    failedAtMs: at.clock.nowMs(),
  });
});

it("an invocation that read the ledger too early does not take another's count for its own", async () => {
  const at = stage(failing);
  await at.drain([delivery({ id: "a", receives: 2 })]);
  at.ledger.standings = async () => [{ item: undefined, entry: "absent" }];
  await at.drain([delivery({ id: "a", receives: 3 })]);
  expect(at.attempts).toEqual([1, 2]);
  expect(at.ledger.items.get("a")).toMatchObject({ attempts: 2 });
});

it("effects that no attempt may write make the record a dead letter at once", async () => {
  const at = stage(({ id }) => ({ effects: [{ add: id }] }));
  at.ledger.applyWithEffects = async () => ({
    kind: "forbidden",
    reason: "the ledger's own table",
  });
  expect(await at.drain([delivery({ id: "a" })])).toEqual([]);
  expect(at.letters).toMatchObject([{ id: "a", attempts: 1, reason: "the ledger's own table" }]);
});

it("a success without an offset gets an item of its own, for no batch entry can name it", async () => {
  const at = stage();
  expect(await at.drain([delivery({ id: "a", sequenceNumber: undefined })])).toEqual([]);
  expect(at.ledger.entries).toEqual([]);
  expect(at.ledger.items.get("a")).toMatchObject({ state: "applied" });
});
