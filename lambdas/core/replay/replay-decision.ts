import type { Standing } from "../ledger.ts";
import type { Letter } from "./replay-letter.ts";

/** What is to be done with one letter. */
export type Decision =
  | { readonly kind: "keep"; readonly error: string }
  /** Applied before: it only has to go. `listed`: the ledger still lists the record as open. */
  | { readonly kind: "remove"; readonly listed: boolean }
  /** Goes back to the source queue as this generation. */
  | { readonly kind: "send"; readonly generation: number };

/**
 * Decides by the letter and by what the ledger knows of its record. A standing that another run has
 * overtaken does no harm: the consumer asks the ledger again before it handles a replay.
 */
export function decide(letter: Letter, standing: Standing | undefined): Decision {
  const fault = faultOf(letter);
  if (fault !== undefined) return { kind: "keep", error: fault };
  const item = standing?.item;
  if (item?.state === "applied") return { kind: "remove", listed: false };
  if (standing?.entry === "named") return { kind: "remove", listed: item !== undefined };
  if (standing?.entry !== "absent") return { kind: "keep", error: INCONCLUSIVE };
  // A copy of an older generation must not go out under a number that the ledger has passed: the
  // consumer would acknowledge it unseen.
  const generation = Math.max(letter.record.generation, item?.generation ?? 0) + 1;
  return { kind: "send", generation };
}

const INCONCLUSIVE =
  "cannot tell whether it was applied: its offset is not known and the ledger holds too many entries to search; look at the game's own state, then remove the letter or publish the record again";

/** Why a letter may not be sent, whatever the ledger says. */
function faultOf({ record, malformed, writtenFor }: Letter): string | undefined {
  if (malformed !== undefined) {
    return `${malformed}; it cannot be handled as it is: publish the record again and remove the letter`;
  }
  if (record.key === "") {
    return "empty key: no partition's order covers it; publish the record again under a key and remove the letter";
  }
  if (writtenFor !== undefined && writtenFor !== record.partition) {
    return `its key belongs to partition ${record.partition}, but the letter was written for partition ${writtenFor}: the partition count was changed; replay with the count it was written under`;
  }
  return undefined;
}
