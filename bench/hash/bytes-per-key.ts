import { HASHERS } from "./hashers.ts";

const KEYS = 1_000_000;

/** Bytes of heap that one `partitionOf` takes, over a million calls of warm code. */
export function bytesPerKey(keys: readonly string[]): number {
  const run = HASHERS.partitionOf(keys);
  hash(run, keys.length);
  const before = process.memoryUsage().heapUsed;
  hash(run, keys.length);
  return (process.memoryUsage().heapUsed - before) / KEYS;
}

function hash(run: () => number, keys: number): void {
  for (let call = 0; call < KEYS; call += keys) run();
}
