import { partitionOf } from "../../lambdas/core/partition.ts";
import { locateBacklog } from "../backlog-location.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { envelopeOf } from "../letters/letters-json.ts";
import { readRetentionMs } from "../letters/read-letters.ts";
import { ledgerAt, type Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import { actsOnRecord } from "./acts-on-record.ts";
import { findRecord } from "./find-record.ts";
import { traceJson } from "./trace-json.ts";
import { traceOf } from "./trace-report.ts";
import { traceText } from "./trace-text.ts";

export type TraceOptions = { readonly name: string; readonly key?: string };

/** `trace <id>`: what became of one record. Ends with `ok` also where the ledger does not know it:
 *  a record that waits and never failed has left no trace yet. */
export async function trace(
  id: string,
  { name, key }: TraceOptions,
  session: Session,
): Promise<number> {
  const { clients, terminal, json, nowMs } = session;
  const location = await locateBacklog(clients.ssm, name);
  const ledger = ledgerAt(session, location);
  const partition = key === undefined ? undefined : partitionOf(key, location.partitions);
  const found = await findRecord(ledger, id, partition);
  const retentionMs = await readRetentionMs(clients.sqs, location.letterQueueUrl);
  const acts = found.kind === "item" ? await actsOnRecord(ledger, found.item) : [];
  const traced = traceOf(id, found, acts, { retentionMs, nowMs });
  terminal.write(
    json
      ? jsonOf({ ...envelopeOf("trace", location, nowMs), ...traceJson(traced, location, nowMs) })
      : traceText(traced, location, terminal, nowMs),
  );
  return EXIT_CODES.ok;
}
