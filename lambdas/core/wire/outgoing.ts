import { LETTER_RESERVE_BYTES, RECORD_ID_CHARACTERS, SQS_LIMITS } from "../limits.ts";
import { partitionOf } from "../partition.ts";
import type { MessageAttributes } from "../record.ts";
import { attributeFaults } from "./game-attributes.ts";
import { isRecordId, sqsIdOf } from "./identity.ts";
import { messageBytes } from "./message-size.ts";
import { encodeKey, encodePayload, WIRE } from "./wire.ts";

/** What a game publishes. */
export type OutgoingRecord = {
  /** What order is kept for: a player, a guild. Not empty. */
  readonly key: string;
  /** Text arrives as text. Bytes arrive as text where they are text that SQS can carry, else as
   *  bytes. */
  readonly payload: string | Uint8Array;
  /** The record's identity for ever, unique over all keys; the publisher makes one unless given. */
  readonly id?: string | undefined;
  /** The game's own message attributes, at most 5. */
  readonly attributes?: MessageAttributes | undefined;
  /** Milliseconds since 1970; the time of publishing unless given. */
  readonly enqueuedAtMs?: number | undefined;
};

/** One record as SQS takes it (docs/wire-format.md). */
export type OutgoingMessage = {
  readonly id: string;
  readonly partition: number;
  /** MessageGroupId. */
  readonly group: string;
  /** The same each time the record is sent, so that SQS takes it once within five minutes. */
  readonly deduplicationId: string;
  readonly body: string;
  readonly attributes: MessageAttributes;
  /** As SQS counts them: body and attributes. */
  readonly bytes: number;
};

export type Encoded =
  | { readonly kind: "message"; readonly message: OutgoingMessage }
  /** The record breaks a rule and must not be sent; the reason names each broken one. */
  | { readonly kind: "refused"; readonly id: string; readonly reason: string };

/** Largest message that a publisher may send: its dead letter must still fit the queue. */
export const OUTGOING_BYTES_MAX: number = SQS_LIMITS.messageBytes - LETTER_RESERVE_BYTES;

/** Encodes one record, or says why it cannot be published. `id` and `enqueuedAtMs` are used where
 *  the record brings none of its own. */
export function encodeOutgoing(
  record: OutgoingRecord,
  defaults: { readonly id: string; readonly enqueuedAtMs: number },
  partitions: number,
): Encoded {
  const id = record.id ?? defaults.id;
  const enqueuedAtMs = record.enqueuedAtMs ?? defaults.enqueuedAtMs;
  const faults = [
    ...idFaults(id),
    ...keyFaults(record.key),
    ...payloadFaults(record.payload),
    ...timeFaults(enqueuedAtMs),
    ...attributeFaults(record.attributes ?? {}),
  ];
  if (faults.length > 0) return { kind: "refused", id: String(id), reason: faults.join("; ") };

  const message = messageOf(record, id, enqueuedAtMs, partitions);
  if (message.bytes <= OUTGOING_BYTES_MAX) return { kind: "message", message };
  const reason = `expected a message of at most ${OUTGOING_BYTES_MAX} bytes, body and attributes together, got ${message.bytes}. Store the payload elsewhere and publish a reference to it`;
  return { kind: "refused", id, reason };
}

function messageOf(
  { key, payload, attributes: own = {} }: OutgoingRecord,
  id: string,
  enqueuedAtMs: number,
  partitions: number,
): OutgoingMessage {
  const { body, encoding } = encodePayload(payload);
  const attributes: MessageAttributes = {
    ...own,
    ...encodeKey(key),
    [WIRE.id]: { dataType: "String", stringValue: id },
    [WIRE.enqueuedAt]: { dataType: "Number", stringValue: String(enqueuedAtMs) },
    ...(encoding !== undefined && {
      [WIRE.encoding]: { dataType: "String", stringValue: encoding },
    }),
  };
  const partition = partitionOf(key, partitions);
  return {
    id,
    partition,
    group: String(partition),
    deduplicationId: sqsIdOf(id),
    body,
    attributes,
    bytes: messageBytes(body, attributes),
  };
}

// Callers need not be TypeScript, so these look at types too.

function idFaults(id: unknown): string[] {
  if (isRecordId(id)) return [];
  return [
    `expected \`id\` to be 1 to ${RECORD_ID_CHARACTERS} characters, none of them a control character or a lone surrogate, got ${shown(id)}`,
  ];
}

function keyFaults(key: unknown): string[] {
  if (typeof key !== "string") return [`expected \`key\` to be text, got ${shown(key)}`];
  if (key === "") {
    return ["expected `key` to name what order is kept for, got the empty text"];
  }
  // UTF-8 has no form for it: such keys would all hash as U+FFFD and be taken for one another.
  if (!key.isWellFormed()) return [`expected \`key\` without lone surrogates, got ${shown(key)}`];
  return [];
}

function payloadFaults(payload: unknown): string[] {
  if (payload instanceof Uint8Array) return [];
  if (typeof payload !== "string") {
    return [`expected \`payload\` to be text or a Uint8Array, got ${shown(payload)}`];
  }
  if (payload.isWellFormed()) return [];
  return ["expected `payload` without lone surrogates; publish it as bytes if it is not text"];
}

function timeFaults(enqueuedAtMs: unknown): string[] {
  if (Number.isSafeInteger(enqueuedAtMs) && Number(enqueuedAtMs) >= 0) return [];
  return [
    `expected \`enqueuedAtMs\` to be whole milliseconds since 1970, got ${shown(enqueuedAtMs)}`,
  ];
}

const SHOWN_CHARACTERS = 80;

function shown(value: unknown): string {
  if (typeof value !== "string") return `\`${typeof value === "number" ? value : typeof value}\``;
  const cut = value.length > SHOWN_CHARACTERS;
  return `${JSON.stringify(value.slice(0, SHOWN_CHARACTERS))}${cut ? ` and ${value.length - SHOWN_CHARACTERS} more characters` : ""}`;
}
