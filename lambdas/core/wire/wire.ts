import type { MessageAttribute, MessageAttributes } from "../record.ts";
import { isSqsText } from "./identity.ts";
import { setAttribute } from "./set-attribute.ts";

/** Names of the message attributes that the wire format keeps for itself (docs/wire-format.md). */
export const WIRE = {
  id: "id",
  key: "key",
  enqueuedAt: "enqueuedAt",
  encoding: "encoding",
  /** On a replayed message. */
  replay: "replay",
  /** On a dead letter. */
  deadLetter: "deadLetter",
} as const;

const RESERVED: ReadonlySet<string> = new Set(Object.values(WIRE));

/** Whether a game may use an attribute of this name. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** The attributes that are the game's own. */
export function gameAttributes(attributes: MessageAttributes): MessageAttributes {
  const own: Record<string, MessageAttribute> = {};
  for (const name of Object.keys(attributes)) {
    const attribute = attributes[name];
    if (attribute !== undefined && !isReserved(name)) setAttribute(own, name, attribute);
  }
  return own;
}

/** A payload as a message carries it. */
export type EncodedPayload = {
  readonly body: string;
  /** Absent for text. */
  readonly encoding?: "base64" | "empty";
};

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const utf8 = new TextEncoder();

/**
 * Body and encoding of a payload. Text that SQS accepts, given as text or as bytes, travels as it
 * is; anything else as base64, and then reaches the handler as bytes. SQS refuses an empty body, so
 * the empty payload travels as one character that stands for nothing.
 */
export function encodePayload(payload: string | Uint8Array): EncodedPayload {
  if (payload.length === 0) return { body: "-", encoding: "empty" };
  const text = typeof payload === "string" ? payload : textOf(payload);
  if (text !== undefined && isSqsText(text)) return { body: text };
  const bytes = typeof payload === "string" ? utf8.encode(payload) : payload;
  return { body: Buffer.from(bytes).toString("base64"), encoding: "base64" };
}

/** The payload of a message, or undefined where body and encoding do not fit together. */
export function decodePayload(
  body: string,
  encoding: string | undefined,
): string | Uint8Array | undefined {
  switch (encoding) {
    case undefined:
      return body;
    case "empty":
      return "";
    case "base64":
      return base64Bytes(body);
    default:
      return undefined;
  }
}

/** Key attribute of a message: text where SQS accepts it, else the key's UTF-8 bytes. The empty key
 *  has none. */
export function encodeKey(key: string): MessageAttributes {
  if (key === "") return {};
  return isSqsText(key)
    ? { [WIRE.key]: { dataType: "String", stringValue: key } }
    : { [WIRE.key]: { dataType: "Binary", binaryValue: utf8.encode(key) } };
}

/** The key of a message, or undefined where its attribute is no text. */
export function decodeKey(attributes: MessageAttributes): string | undefined {
  const attribute = attributes[WIRE.key];
  if (attribute === undefined) return "";
  return attribute.binaryValue === undefined
    ? attribute.stringValue
    : textOf(attribute.binaryValue);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Node decodes what it can and ignores the rest; a record whose bytes are not the publisher's must
 *  not be handled, so anything but canonical base64 is refused. */
function base64Bytes(body: string): Uint8Array | undefined {
  const bytes = Buffer.from(body, "base64");
  return bytes.toString("base64") === body ? new Uint8Array(bytes) : undefined;
}
