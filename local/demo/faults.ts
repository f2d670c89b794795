/** Item of the wallet's table whose presence says that the killing event has been mended. */
export const MENDED = { pk: { S: "demo" }, sk: { S: "mended" } };

/** Item of the catalogue that is missing until an operator adds it. */
export const MISSING_ITEM = { pk: { S: "catalogue" }, sk: { S: "item#phoenix" } };

/** What the demo's handler says of a record that it failed or died on. */
export type Testimony = { readonly demo: "failed" | "killed"; readonly id: string };

/** Reads a line of a function's output; most lines are no testimony. */
export function readTestimony(line: string): Testimony | undefined {
  if (!line.startsWith('{"demo":')) return undefined;
  return JSON.parse(line) as Testimony;
}
