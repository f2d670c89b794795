import { partitionOf } from "../../lambdas/core/partition.ts";
import type { SeededEntry, SeededLetter } from "./seed-letters.ts";

/** Offsets of SQS have some 20 digits. */
const FIRST_OFFSET = 10n ** 19n;

const OFFSET_STEP = 1000n;

/** Records named by one entry: a full batch. */
const BATCH = 10;

/** An incident: two letters of each key, by three faults, with some disorder in the order in which
 *  their records died. */
export function manyLetters(count: number, nowMs: number): readonly SeededLetter[] {
  const letters = Array.from({ length: count }, (_, n) => ({
    id: `0198c2f4-7d1e-7c55-9b1f-${String(n).padStart(12, "0")}`,
    key: `player:${n % Math.ceil(count / 2)}`,
    offset: FIRST_OFFSET + BigInt(n) * OFFSET_STEP,
    reason: reasonOf(n),
    failedAtMs: nowMs - (count - n) * 10 - 60_000,
  }));
  const placeOf = ({ offset }: SeededLetter): number => {
    const n = Number((offset - FIRST_OFFSET) / OFFSET_STEP);
    return n + ((n * DISORDER_STEP) % DISORDER);
  };
  return letters.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** Letters that may have come before one whose record is older. */
const DISORDER = 200;
const DISORDER_STEP = 7919;

/** What the partitions went on with meanwhile: full batches of other keys, each tenth of which has a
 *  key of the letters too, so that their letters are overtaken. */
export function entriesBeside(
  letters: readonly SeededLetter[],
  count: number,
  partitions: number,
): readonly SeededEntry[] {
  const others = Array.from({ length: partitions * BATCH }, (_, n) => `gamer:${n}`);
  const keysOf = Map.groupBy(others, (key) => partitionOf(key, partitions));
  return Array.from({ length: count }, (_, n) => {
    const letter = letters[Math.floor((n * letters.length) / count)];
    const { key = "", offset = FIRST_OFFSET, failedAtMs = 0 } = letter ?? {};
    const own = keysOf.get(partitionOf(key, partitions)) ?? [key];
    const keys = n % BATCH === 0 ? [key] : own.slice(0, BATCH);
    return {
      ids: Array.from({ length: BATCH }, (_unused, place) => `applied-${n}-${place}`),
      keys,
      offset: offset + OFFSET_STEP / 2n,
      appliedAtMs: failedAtMs,
    };
  });
}

function reasonOf(n: number): string {
  const reasons = [
    `no item ${n} in the catalogue of season 12`,
    `wallet of "player:${n}" is locked since 2026-01-31T03:00:00Z`,
    `inventory of player ${n} is full`,
  ];
  return reasons[n % reasons.length] ?? "";
}
