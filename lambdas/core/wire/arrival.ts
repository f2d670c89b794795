import { partitionOf } from "../partition.ts";
import type { BacklogRecord, Delivery } from "../record.ts";
import { isRecordId } from "./identity.ts";
import { isOffset } from "./offset.ts";
import { decodeKey, decodePayload, gameAttributes, WIRE } from "./wire.ts";
import { decodeLetter, decodeReplay } from "./wire-metadata.ts";

/** What a message says of its record, as far as it can be read. */
export type Identity = Pick<
  BacklogRecord,
  "id" | "key" | "partition" | "offset" | "enqueuedAtMs" | "generation"
>;

/** One delivered message after a look inside. */
export type Arrival = {
  readonly delivery: Delivery;
  /** Best known even where the message cannot be read: its letter must be listed under something. */
  readonly identity: Identity;
  /** A replay, or a letter that someone moved back by SQS's own redrive, which counts as one. */
  readonly replayed: boolean;
  readonly content:
    | {
        readonly kind: "readable";
        readonly payload: string | Uint8Array;
        readonly attributes: BacklogRecord["attributes"];
      }
    | { readonly kind: "malformed"; readonly reason: string };
};

/** What the reason of a message that cannot be read begins with, in its letter as well. */
export const MALFORMED = "malformed message: ";

/** Reads a message of the wire format. Never throws: whatever cannot be read is said in `content`. */
export function readArrival(delivery: Delivery, partitions: number): Arrival {
  const faults: string[] = [];
  const id = readId(delivery, faults);
  const key = decodeKey(delivery.attributes);
  if (key === undefined) faults.push("`key` is neither text nor the UTF-8 bytes of one");
  const provenance = readProvenance(delivery, faults);
  const identity: Identity = {
    id,
    key: key ?? "",
    partition: key === undefined ? groupNumber(delivery, partitions) : partitionOf(key, partitions),
    ...provenance.facts,
  };
  const payload = decodePayload(delivery.body, encodingOf(delivery));
  if (payload === undefined) faults.push("the body does not fit the `encoding` attribute");
  return {
    delivery,
    identity,
    replayed: provenance.replayed,
    content:
      faults.length > 0 || payload === undefined
        ? { kind: "malformed", reason: `${MALFORMED}${faults.join("; ")}` }
        : { kind: "readable", payload, attributes: gameAttributes(delivery.attributes) },
  };
}

/** The group whose order a message belongs to: its SQS group, or its key's partition where the
 *  event carries no group id. */
export function groupOf(arrival: Arrival): string {
  return arrival.delivery.group ?? String(arrival.identity.partition);
}

function readId({ attributes, messageId }: Delivery, faults: string[]): string {
  const id = attributes[WIRE.id]?.stringValue;
  if (isRecordId(id)) return id;
  faults.push(
    id === undefined ? "the `id` attribute is missing" : "`id` is not 1 to 256 characters",
  );
  return messageId;
}

function encodingOf({ attributes }: Delivery): string | undefined {
  const attribute = attributes[WIRE.encoding];
  // An encoding that is no text is not the absent one: it makes the message unreadable.
  return attribute === undefined ? undefined : (attribute.stringValue ?? "binary attribute");
}

function groupNumber({ group }: Delivery, partitions: number): number {
  const number = Number(group);
  return Number.isInteger(number) && number >= 0 && number < partitions ? number : 0;
}

type Provenance = {
  readonly facts: Pick<Identity, "offset" | "enqueuedAtMs" | "generation">;
  readonly replayed: boolean;
};

function readProvenance(delivery: Delivery, faults: string[]): Provenance {
  const { attributes, sequenceNumber, sentAtMs } = delivery;
  const replay = attributes[WIRE.replay];
  const letter = attributes[WIRE.deadLetter];
  const mark = letter ?? replay;
  if (mark === undefined) {
    const offset = isOffset(sequenceNumber) ? sequenceNumber : undefined;
    const enqueuedAtMs = readEnqueuedAt(delivery, faults);
    return { facts: { offset, enqueuedAtMs, generation: 0 }, replayed: false };
  }
  const facts = letter === undefined ? decodeReplay(mark) : decodeLetter(mark);
  if (facts === undefined) {
    const name = letter === undefined ? WIRE.replay : WIRE.deadLetter;
    faults.push(`the \`${name}\` attribute does not hold what it should`);
    return { facts: { offset: undefined, enqueuedAtMs: sentAtMs, generation: 0 }, replayed: true };
  }
  const { offset, enqueuedAtMs, generation } = facts;
  return { facts: { offset, enqueuedAtMs, generation }, replayed: true };
}

function readEnqueuedAt({ attributes, sentAtMs }: Delivery, faults: string[]): number {
  const text = attributes[WIRE.enqueuedAt]?.stringValue;
  if (text === undefined) return sentAtMs;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  faults.push("`enqueuedAt` is not whole milliseconds since 1970");
  return sentAtMs;
}
