import type { WithheldKind } from "../../lambdas/core/letters/withheld.ts";
import { isExpired, letterOf } from "../letters/letter.ts";
import type { ActOnRecord } from "./acts-on-record.ts";
import type { Found } from "./find-record.ts";

/** Where a record is, as far as the ledger knows: SQS cannot be asked for one. */
export type Whereabouts = "applied" | "retrying" | "dead" | "expired" | "unknown";

export type Trace = {
  readonly id: string;
  readonly state: Whereabouts;
  readonly found: Found;
  /** When SQS deletes its letter; undefined where it has none, or the time is not known. */
  readonly expiresAtMs: number | undefined;
  /** Why no replay takes its letter; undefined where one would, or it has none. */
  readonly withheld: WithheldKind | undefined;
  readonly acts: readonly ActOnRecord[];
};

/** Puts the parts of the answer together; `retentionMs` is the dead-letter queue's. Pure. */
export function traceOf(
  id: string,
  found: Found,
  acts: readonly ActOnRecord[],
  { retentionMs, nowMs }: { readonly retentionMs: number; readonly nowMs: number },
): Trace {
  if (found.kind !== "item") {
    const state = found.kind === "entry" ? "applied" : "unknown";
    return { id, state, found, ...NO_LETTER, acts };
  }
  const { state } = found.item;
  if (state !== "dead") return { id, state, found, ...NO_LETTER, acts };
  const letter = letterOf(found.item, retentionMs);
  const { expiresAtMs } = letter;
  return isExpired(letter, nowMs)
    ? { id, state: "expired", found, ...NO_LETTER, expiresAtMs, acts }
    : { id, state: "dead", found, expiresAtMs, withheld: found.withheld, acts };
}

const NO_LETTER = { expiresAtMs: undefined, withheld: undefined };
