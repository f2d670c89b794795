import { readFileSync } from "node:fs";
import { type EventLine, parseEventLine } from "../../lambdas/core/wire/ndjson.ts";

/** A line that holds a record. Whether it may be published is the publisher's to say. */
export type RecordLine = Extract<EventLine, { readonly kind: "record" }>;

export type RefusedLine = Extract<EventLine, { readonly kind: "refused" }>;

export type EventFile = {
  readonly records: readonly RecordLine[];
  readonly refused: readonly RefusedLine[];
};

/** Reads a file of events; a bad line is reported with its number and the rest goes on.
 *  @throws where the file cannot be read or holds no record. */
export function readEvents(path: string): EventFile {
  const lines = readFileSync(path, "utf8")
    .split(/\r?\n/u)
    .map((text, index) => parseEventLine(text, index + 1));
  const records = lines.filter((line) => line.kind === "record");
  const refused = lines.filter((line) => line.kind === "refused");
  if (records.length > 0) return { records, refused };
  const [first] = refused;
  throw new Error(
    `Expected lines such as {"key": "player:1", "payload": "..."} in ${path}, got ${first === undefined ? "no line" : `line ${first.line}: ${first.reason}`}`,
  );
}
