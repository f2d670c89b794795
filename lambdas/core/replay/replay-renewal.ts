import type { MessageAttributes } from "../record.ts";
import { letterDeduplicationId, sqsIdOf } from "../wire/identity.ts";
import { letterAttributes } from "../wire/letter-attributes.ts";
import type { Custody } from "./replay-custody.ts";
import type { Letter } from "./replay-letter.ts";
import type { OutgoingMessage, ReplayPorts } from "./replay-ports.ts";

export type Renewed =
  | { readonly kind: "renewed"; readonly messageId: string }
  | { readonly kind: "kept"; readonly error: string };

/**
 * Puts a letter that SQS moved into a message group of its own: in its partition's group the first
 * ten hide the rest. It keeps body and attributes, and gets the facts that the consumer would have
 * written; its offset stays unknown. The old letter goes once the new one is accepted.
 * @throws where the ledger fails.
 */
export async function renewLetter(
  letter: Letter,
  custody: Custody,
  { letters, records, clock }: Pick<ReplayPorts, "letters" | "records" | "clock">,
): Promise<Renewed> {
  const { reason, failedAtMs, attempts, delivery } = letter;
  const { messageId } = delivery;
  const markDead = (letterSentAtMs: number): Promise<void> =>
    records.markDead(letter.record, { reason, failedAtMs, attempts, messageId, letterSentAtMs });
  // Without this, a record that had failed before SQS moved it would be listed as retrying for ever.
  // Before the send: another run may settle the new letter the moment that it is there, and a crash
  // behind the send would leave a letter that counts as expired while it lives.
  await markDead(clock.nowMs());
  const outcome = await letters.send(renewalOf(letter));
  if (outcome.kind !== "accepted") {
    await markDead(delivery.sentAtMs);
    return {
      kind: "kept",
      error: `SQS moved this letter and it could not be renewed (${outcome.kind}: ${outcome.reason}); letters behind it may be hidden`,
    };
  }
  // Refused: there are two letters of one record then, which replay settles.
  await custody.remove(delivery).catch(() => undefined);
  return { kind: "renewed", messageId: outcome.messageId };
}

function renewalOf(letter: Letter): OutgoingMessage {
  const { delivery, record } = letter;
  return {
    body: delivery.body,
    attributes: renewedAttributes(letter),
    group: sqsIdOf(record.id),
    deduplicationId: letterDeduplicationId(record.id, record.generation, delivery.messageId),
  };
}

/** What cannot be read goes unchanged, so that its facts hide nothing of it. */
function renewedAttributes(letter: Letter): MessageAttributes {
  const { delivery, record, reason, failedAtMs, attempts, malformed } = letter;
  if (malformed !== undefined) return delivery.attributes;
  const { partition, offset, generation, enqueuedAtMs } = record;
  const facts = { partition, offset, generation, attempts, reason, failedAtMs, enqueuedAtMs };
  return letterAttributes(delivery, facts);
}
