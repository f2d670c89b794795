import fc from "fast-check";
import { expect, it } from "vitest";
import {
  append,
  detach,
  emptyChain,
  insertAfter,
  type Link,
  valuesOf,
} from "../../../local/sqs/chain.ts";
import { createExpiringMap } from "../../../local/sqs/expiring-map.ts";

it("is an array from which any value can be taken, and into which any can be put", () => {
  const steps = fc.array(fc.record({ kind: fc.constantFrom("add", "take"), at: fc.nat(50) }));
  fc.assert(
    fc.property(steps, (plan) => {
      const chain = emptyChain<number>();
      const model: Link<number>[] = [];
      plan.forEach(({ kind, at }, value) => {
        const place = model.length === 0 ? 0 : at % (model.length + 1);
        if (kind === "add") model.splice(place, 0, insertAfter(chain, model[place - 1], value));
        const [taken] = kind === "take" ? model.splice(place, 1) : [];
        if (taken !== undefined) detach(chain, taken);
      });
      expect([...valuesOf(chain)]).toEqual(model.map(({ value }) => value));
      expect(chain.first).toBe(model[0]);
      expect(chain.last).toBe(model.at(-1));
    }),
    { seed: 1 },
  );
});

it("lets the value just read be taken out", () => {
  const chain = emptyChain<string>();
  const links = new Map(["a", "b", "c"].map((value) => [value, append(chain, value)]));
  const read: string[] = [];
  for (const value of valuesOf(chain)) {
    read.push(value);
    const link = links.get(value);
    if (link !== undefined) detach(chain, link);
  }
  expect(read).toEqual(["a", "b", "c"]);
  expect(chain.first).toBeUndefined();
});

it("expires an entry of a map at its time, set again or not, and frees it when pruned", () => {
  const map = createExpiringMap<string>(100);
  map.set("a", "first", 0);
  map.set("b", "other", 10);
  map.set("a", "second", 50);
  expect(map.get("a", 149)).toBe("second");
  expect(map.get("a", 150)).toBeUndefined();
  expect(map.oldestExpiryMs()).toBe(110);
  map.prune(110);
  expect(map.size).toBe(1);
  map.prune(150);
  expect(map.size).toBe(0);
  expect(map.oldestExpiryMs()).toBeUndefined();
});
