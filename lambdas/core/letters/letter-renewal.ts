import { reasonOf } from "../dead-letter.ts";
import type { LedgerItem, Standing } from "../ledger.ts";
import type { Custody } from "../replay/replay-custody.ts";
import type { Letter } from "../replay/replay-letter.ts";
import { renewLetter as renewMoved } from "../replay/replay-renewal.ts";
import { letterDeduplicationId, sqsIdOf } from "../wire/identity.ts";
import type { RenewalPorts } from "./letter-ports.ts";

/** What became of one letter; `error` says what else went wrong. */
export type LetterRenewal =
  | { readonly kind: "renewed"; readonly messageId: string; readonly error: string | undefined }
  | { readonly kind: "settled"; readonly error: string | undefined }
  | { readonly kind: "kept"; readonly error: string };

/**
 * Sends one letter to its own queue again and removes the old one. Never throws: what is not known
 * keeps the letter. The ledger forgets what was applied 32 days ago, so a letter that may have been
 * applied is not renewed beyond that.
 */
export async function renewLetter(
  letter: Letter,
  custody: Custody,
  ports: RenewalPorts,
): Promise<LetterRenewal> {
  try {
    const [standing] = await ports.records.standings([letter.record]);
    switch (standingOf(standing)) {
      case "applied":
        return await settle(letter, standing?.item, custody, ports);
      case "unknown":
        return { kind: "kept", error: INCONCLUSIVE };
      default:
        return await sendAgain(letter, standing?.item, custody, ports);
    }
  } catch (error) {
    return {
      kind: "kept",
      error: `a queue or the ledger did not answer, so the letter stays: ${reasonOf(error)}`,
    };
  }
}

const INCONCLUSIVE =
  "cannot tell whether it was applied, and a letter that outlives the ledger's memory could be applied twice; look at the game's own state, then replay or discard it";

function standingOf(standing: Standing | undefined): "applied" | "unknown" | "open" {
  if (standing?.item?.state === "applied" || standing?.entry === "named") return "applied";
  return standing?.entry === "absent" ? "open" : "unknown";
}

async function settle(
  { record, delivery }: Letter,
  item: LedgerItem | undefined,
  custody: Custody,
  { records }: RenewalPorts,
): Promise<LetterRenewal> {
  // Before the letter goes: else a crash would leave the record listed as dead for ever.
  if (item !== undefined && item.state !== "applied") {
    await records.markApplied(record, { onlyExisting: true });
  }
  await custody.remove(delivery);
  return { kind: "settled", error: undefined };
}

async function sendAgain(
  letter: Letter,
  item: LedgerItem | undefined,
  custody: Custody,
  ports: RenewalPorts,
): Promise<LetterRenewal> {
  if (letter.native) return renewNative(letter, custody, ports);
  const { record, delivery, reason, failedAtMs, attempts } = letter;
  const { records, marks, clock, letters } = ports;
  // Lists a letter that a crash left unlisted, and makes the ledger remember it for as long again.
  // The message that died stays: the consumer knows its late copies by it.
  const messageId = item?.messageId ?? delivery.messageId;
  await records.markDead(record, { reason, failedAtMs, attempts, messageId });
  // Before the send: after it, a crash would leave a letter that counts as expired for ever.
  const unnoted = await noteSent(record.id, clock.nowMs(), marks);
  if (unnoted !== undefined)
    return { kind: "kept", error: `it was not sent: ${laterEnd(unnoted)}` };
  const outcome = await letters.send({
    body: delivery.body,
    attributes: delivery.attributes,
    group: delivery.group ?? sqsIdOf(record.id),
    deduplicationId: letterDeduplicationId(record.id, record.generation, delivery.messageId),
  });
  if (outcome.kind !== "accepted") {
    const wrong = await noteSent(record.id, delivery.sentAtMs, marks);
    const also = wrong === undefined ? "" : `, and ${laterEnd(wrong)}`;
    const error = `it could not be sent (${outcome.kind}: ${outcome.reason})${also}`;
    return { kind: "kept", error };
  }
  return { kind: "renewed", messageId: outcome.messageId, error: await removeOld(letter, custody) };
}

/** A letter that SQS moved gets a message group of its own besides. */
async function renewNative(
  letter: Letter,
  custody: Custody,
  ports: RenewalPorts,
): Promise<LetterRenewal> {
  const renewed = await renewMoved(letter, custody, ports);
  // When it was sent, its death has noted.
  return renewed.kind === "kept" ? renewed : { ...renewed, error: undefined };
}

/** @returns why it may not be noted; undefined where it is. */
async function noteSent(
  id: string,
  sentAtMs: number,
  marks: RenewalPorts["marks"],
): Promise<string | undefined> {
  try {
    await marks.noteSent(id, sentAtMs);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function laterEnd(why: string): string {
  return `the ledger perhaps lists a later end than the letter has (${why}): run again`;
}

async function removeOld({ delivery }: Letter, custody: Custody): Promise<string | undefined> {
  try {
    await custody.remove(delivery);
    return undefined;
  } catch (error) {
    return `renewed, but its old letter could not be removed (${reasonOf(error)}); a replay settles both`;
  }
}
