import { readFileSync } from "node:fs";

/** The reference vectors of one file under test/vectors. */
export function vectors<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), "utf8"));
}
