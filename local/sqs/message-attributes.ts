import { createHash, type Hash } from "node:crypto";

/** A message attribute as it stands on the wire; binary values are base64 text there. */
export type MessageAttribute = {
  readonly DataType: string;
  readonly StringValue?: string;
  readonly BinaryValue?: string;
};

export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;

const LENGTH_BYTES = 4;
const STRING_VALUE = Buffer.from([1]);
const BINARY_VALUE = Buffer.from([2]);

/**
 * The digest that the SDK checks a send against, in hex.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html
 */
export function attributesMd5(attributes: MessageAttributes): string {
  const hash = createHash("md5");
  for (const [name, attribute] of Object.entries(attributes).sort(byName)) {
    addSized(hash, Buffer.from(name));
    addSized(hash, Buffer.from(attribute.DataType));
    hash.update(isBinary(attribute) ? BINARY_VALUE : STRING_VALUE);
    addSized(hash, valueBytes(attribute));
  }
  return hash.digest("hex");
}

/** Bytes that the attributes add to their message: names, types and values. */
export function attributesBytes(attributes: MessageAttributes): number {
  return Object.entries(attributes).reduce(
    (sum, [name, attribute]) =>
      sum +
      Buffer.byteLength(name) +
      Buffer.byteLength(attribute.DataType ?? "") +
      valueBytes(attribute).length,
    0,
  );
}

/** The attributes that a receive asked for: by name, by `prefix.*`, or `All`; undefined if none. */
export function selectAttributes(
  attributes: MessageAttributes | undefined,
  names: readonly string[],
): MessageAttributes | undefined {
  if (attributes === undefined || names.length === 0) return undefined;
  const entries = Object.entries(attributes).filter(([name]) => isAskedFor(name, names));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

export function isBinary(attribute: MessageAttribute): boolean {
  return attribute.DataType.startsWith("Binary");
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function addSized(hash: Hash, bytes: Buffer): void {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  hash.update(length).update(bytes);
}

function valueBytes({ StringValue, BinaryValue }: MessageAttribute): Buffer {
  return BinaryValue === undefined
    ? Buffer.from(StringValue ?? "")
    : Buffer.from(BinaryValue, "base64");
}

function isAskedFor(name: string, asked: readonly string[]): boolean {
  return asked.some(
    (pattern) =>
      pattern === "All" ||
      pattern === ".*" ||
      pattern === name ||
      (pattern.endsWith(".*") && name.startsWith(pattern.slice(0, -1))),
  );
}
