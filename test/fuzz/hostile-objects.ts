import * as fc from "fast-check";
import { hostileText } from "./hostile-text.ts";

/** Objects with some of these names, and now and then one that is none of them. */
export function objectWith(
  names: readonly string[],
  value: fc.Arbitrary<unknown>,
  otherNames = hostileText,
): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const name = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, otherNames);
  return fc
    .array(fc.tuple(name, value), { maxLength: 5 })
    .map((entries) => Object.fromEntries(entries) as Readonly<Record<string, unknown>>);
}

/** Values of every kind, some of which may be right by chance. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  hostileText,
  fc.double(),
  fc.integer({ min: -2, max: 2000 }),
  fc.constantFrom("2026-01-01", "2026-99-99", ["r-1"], true, { toString: 1 }),
);
