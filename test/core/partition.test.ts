import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fnv1a32, keyHash, partitionOf } from "../../lambdas/core/partition.ts";
import { vectors } from "./vectors.ts";

type Row = {
  readonly label?: string;
  readonly key: string;
  readonly keyUtf8Base64: string;
  readonly partitions: number;
  readonly partition: number | null;
  readonly fnv1a32: number;
};

type Spread = {
  readonly keyPrefix: string;
  readonly keys: number;
  readonly partitions: number;
  readonly counts: readonly number[];
};

const { rows, bytes, wide } = vectors<{
  readonly rows: readonly Row[];
  readonly bytes: readonly Omit<Row, "key">[];
  readonly wide: readonly Row[];
}>("partition.json");

/** What the vectors clamp, settings refuse: the count is never below 1 in a deployed backlog. */
const countable = rows.filter(({ partitions }) => partitions >= 1);

function bigintHash(input: Uint8Array): number {
  let hash = 2166136261n;
  for (const byte of input) hash = ((hash ^ BigInt(byte)) * 16777619n) % 2n ** 32n;
  return Number(hash);
}

describe("the partition of a key", () => {
  it("equals the reference for every key and count of the vectors", () => {
    expect(countable.length).toBeGreaterThan(400);
    for (const { label, key, partitions, partition } of countable) {
      expect(partitionOf(key, partitions), `${label} of ${partitions}`).toBe(partition);
    }
  });

  it("comes from the hash of the key's UTF-8 bytes for every key of the vectors", () => {
    for (const { label, key, keyUtf8Base64, fnv1a32: hash } of rows) {
      expect(keyHash(key), label).toBe(hash);
      expect(fnv1a32(Buffer.from(keyUtf8Base64, "base64")), label).toBe(hash);
    }
  });

  it("hashes bytes that are no UTF-8 as the reference does", () => {
    expect(bytes.length).toBeGreaterThan(40);
    for (const { label, keyUtf8Base64, fnv1a32: hash } of bytes) {
      expect(fnv1a32(Buffer.from(keyUtf8Base64, "base64")), label).toBe(hash);
    }
  });

  it("equals the reference for counts up to 2^32 - 1 and refuses all that the reference cuts", () => {
    for (const { key, partitions, partition } of wide) {
      if (partitions >= 1 && partitions <= 0xffff_ffff) {
        expect(partitionOf(key, partitions)).toBe(partition);
      } else {
        expect(() => partitionOf(key, partitions)).toThrow(`got \`${partitions}\``);
      }
    }
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses %d partitions", (count) => {
    expect(() => partitionOf("player:1", count)).toThrow(RangeError);
  });

  it("spreads numbered keys exactly as the reference does", () => {
    const spreads = vectors<{ readonly rows: readonly Spread[] }>("partition-spread.json").rows;
    expect(spreads.length).toBeGreaterThan(2);
    for (const { keyPrefix, keys, partitions, counts } of spreads) {
      const found = Array<number>(partitions).fill(0);
      for (let n = 0; n < keys; n += 1) {
        const partition = partitionOf(`${keyPrefix}${n}`, partitions);
        found[partition] = (found[partition] ?? 0) + 1;
      }
      expect(found).toEqual(counts);
    }
  });

  it("equals FNV-1a done in big integers, for any bytes and any text", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (input) => {
        expect(fnv1a32(input)).toBe(bigintHash(input));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 32 }), (key) => {
        expect(keyHash(key)).toBe(bigintHash(Buffer.from(key)));
      }),
    );
  });

  it.each([
    { left: "é", right: "e\u0301", why: "composed and decomposed are two keys" },
    { left: "player:1", right: "player:1\u0000", why: "a trailing NUL is part of the key" },
    { left: "player:1", right: " player:1", why: "nothing is trimmed" },
    { left: "Player:1", right: "player:1", why: "case is kept" },
  ])("keeps $left and $right apart: $why", ({ left, right }) => {
    expect(keyHash(left)).not.toBe(keyHash(right));
  });
});
