import { createHash } from "node:crypto";
import { SQS_LIMITS } from "../limits.ts";
import type { Delivery, MessageAttributes } from "../record.ts";
import type { Letter } from "../replay/replay-letter.ts";
import type { OutgoingMessage } from "../replay/replay-ports.ts";
import type { Settings } from "../settings.ts";
import { sqsIdOf } from "../wire/identity.ts";
import { messageBytes } from "../wire/message-size.ts";
import { encodePayload, WIRE } from "../wire/wire.ts";
import { decodeLetter, encodeLetter } from "../wire/wire-metadata.ts";
import { payloadDigest } from "./letter-payload.ts";
import { LetterRefusedError } from "./letter-ports.ts";
import { reasonAfterEdit } from "./reason-after-edit.ts";

export type EditedMessage = OutgoingMessage;

/**
 * A letter with another payload: identity, attributes and facts as they were, but for the reason of
 * one that could not be read.
 * @throws LetterRefusedError where SQS would not take it.
 */
export function editedMessage(
  { delivery, record }: Letter,
  payload: string | Uint8Array,
  { partitions }: Pick<Settings, "partitions">,
): EditedMessage {
  const { body, encoding } = encodePayload(payload);
  const { [WIRE.encoding]: _, ...kept } = delivery.attributes;
  const encoded: MessageAttributes = {
    ...kept,
    ...(encoding !== undefined && {
      [WIRE.encoding]: { dataType: "String", stringValue: encoding },
    }),
  };
  const attributes = withReason({ ...delivery, body, attributes: encoded }, partitions);
  refuseUnfit(record.id, body, attributes);
  return {
    body,
    attributes,
    group: sqsIdOf(record.id),
    // Of this letter and this payload: a repeated send arrives once, an edit back to an earlier
    // payload is another letter.
    deduplicationId: sha256(
      JSON.stringify(["edit", record.id, delivery.messageId, payloadDigest(payload)]),
    ),
  };
}

/** The attributes, their facts with the reason that holds from now on. */
function withReason(edited: Delivery, partitions: number): MessageAttributes {
  const { attributes } = edited;
  const attribute = attributes[WIRE.deadLetter];
  const mark = attribute && decodeLetter(attribute);
  if (mark === undefined) return attributes;
  const reason = reasonAfterEdit(mark.reason, edited, partitions);
  return reason === mark.reason
    ? attributes
    : { ...attributes, [WIRE.deadLetter]: encodeLetter({ ...mark, reason }) };
}

function refuseUnfit(id: string, body: string, attributes: MessageAttributes): void {
  const bytes = messageBytes(body, attributes);
  if (bytes > SQS_LIMITS.messageBytes) {
    throw new LetterRefusedError(
      `Expected the new letter of record ${id} to have at most ${SQS_LIMITS.messageBytes} bytes, body and attributes together, got ${bytes}. Nothing was changed; give a smaller payload`,
    );
  }
  const count = Object.keys(attributes).length;
  if (count > SQS_LIMITS.messageAttributes) {
    throw new LetterRefusedError(
      `Expected the new letter of record ${id} to have at most ${SQS_LIMITS.messageAttributes} attributes, got ${count}: this payload needs one more for its encoding. Nothing was changed; give text that SQS can carry`,
    );
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
