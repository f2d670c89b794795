import { createRequire } from "node:module";
import sindresorhusFnv1a from "@sindresorhus/fnv1a";
import { partitionOf } from "../../lambdas/core/partition.ts";
import { PARTITIONS } from "../contenders/batch.ts";

/** Its package has no types. */
type FnvPlus = { readonly fast1a32utf: (text: string) => number };

const fnvPlus: FnvPlus = createRequire(import.meta.url)("fnv-plus");

export type HasherName = "partitionOf" | "fnv-plus" | "@sindresorhus/fnv1a" | "chain alone";

/** Takes the partition of all keys once. The sum keeps the engine from leaving the work out. */
export type Hasher = () => number;

/** Hashers of given keys. */
export const HASHERS: Readonly<Record<HasherName, (keys: readonly string[]) => Hasher>> = {
  partitionOf: (keys) => (): number => {
    let sum = 0;
    for (const key of keys) sum += partitionOf(key, PARTITIONS);
    return sum;
  },
  "fnv-plus": (keys) => (): number => {
    let sum = 0;
    for (const key of keys) sum += fnvPlus.fast1a32utf(key) % PARTITIONS;
    return sum;
  },
  "@sindresorhus/fnv1a": (keys) => {
    const options = { size: 32, utf8Buffer: new Uint8Array(1024) } as const;
    return (): number => {
      let sum = 0;
      for (const key of keys) sum += Number(sindresorhusFnv1a(key, options)) % PARTITIONS;
      return sum;
    };
  },
  "chain alone": (keys) => {
    const encoded = keys.map((key) => new TextEncoder().encode(key));
    return (): number => {
      let sum = 0;
      for (const bytes of encoded) sum += chain(bytes) % PARTITIONS;
      return sum;
    };
  },
};

function chain(bytes: Uint8Array): number {
  let hash = 0x811c9dc5 | 0;
  for (let index = 0; index < bytes.length; index += 1) {
    hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  }
  return hash >>> 0;
}
