import { readFileSync } from "node:fs";
import { parseEventLine } from "../../lambdas/core/ndjson.ts";
import type { OutgoingRecord } from "../../lambdas/core/outgoing.ts";

export type EventFile = {
  readonly records: readonly OutgoingRecord[];
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
};

/** Reads a file of events; a bad line is reported with its number and the rest goes on.
 *  @throws where the file cannot be read. */
export function readEvents(path: string): EventFile {
  const lines = readFileSync(path, "utf8")
    .split(/\r?\n/u)
    .map((text, index) => parseEventLine(text, index + 1));
  return {
    records: lines.flatMap((line) => (line.kind === "record" ? [line.record] : [])),
    refused: lines.flatMap((line) => (line.kind === "refused" ? [line] : [])),
  };
}
