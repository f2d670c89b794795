import { v7 as uuidv7 } from "uuid";
import type { EventLine } from "../../lambdas/core/wire/ndjson.ts";
import { encodeOutgoing, type OutgoingRecord } from "../../lambdas/core/wire/outgoing.ts";
import type { LineOutcome } from "./publish-totals.ts";

/** A record that may be published, with the id and partition that it will have. */
export type GoodLine = {
  readonly line: number;
  readonly record: OutgoingRecord & { readonly id: string };
  readonly partition: number;
};

export type CheckedLine =
  | ({ readonly kind: "good" } & GoodLine)
  | ({ readonly kind: "refused" } & LineOutcome)
  | { readonly kind: "blank" };

/** Checks a line by the publisher's own rules, so that one bad line holds up no other. */
export function checkLine(event: EventLine, partitions: number, nowMs: number): CheckedLine {
  const { line } = event;
  if (event.kind === "blank") return { kind: "blank" };
  if (event.kind === "refused") {
    return { kind: "refused", line, id: undefined, reason: event.reason };
  }
  const id = event.record.id ?? uuidv7();
  const record = { ...event.record, id };
  const encoded = encodeOutgoing(record, { id, enqueuedAtMs: nowMs }, partitions);
  return encoded.kind === "refused"
    ? { kind: "refused", line, id: event.record.id, reason: encoded.reason }
    : { kind: "good", line, record, partition: encoded.message.partition };
}
