import { createHash } from "node:crypto";
import type { Delivery, MessageAttributes } from "../record.ts";
import { decodePayload, WIRE } from "../wire/wire.ts";

/** The payload as the handler gets it; undefined where the body does not fit its encoding. */
export function payloadOf({ body, attributes }: Delivery): string | Uint8Array | undefined {
  return decodePayload(body, encodingOf(attributes));
}

/** SHA-256 in hex of a payload's bytes; of the body as it stands where it cannot be decoded. */
export function digestOf(delivery: Delivery): string {
  return payloadDigest(payloadOf(delivery) ?? delivery.body);
}

/** SHA-256 in hex of a payload's bytes, those of UTF-8 where it is text. */
export function payloadDigest(payload: string | Uint8Array): string {
  return createHash("sha256").update(payload).digest("hex");
}

function encodingOf(attributes: MessageAttributes): string | undefined {
  const attribute = attributes[WIRE.encoding];
  // An encoding that is no text is not the absent one: it makes the message unreadable.
  return attribute === undefined ? undefined : (attribute.stringValue ?? "binary attribute");
}
