import type { OutgoingRecord } from "./outgoing.ts";

/** One line of an NDJSON file of events: `{key, payload, id?}` or `{key, payloadBase64, id?}`. */
export type EventLine =
  | { readonly kind: "record"; readonly line: number; readonly record: OutgoingRecord }
  | { readonly kind: "refused"; readonly line: number; readonly reason: string }
  | { readonly kind: "blank"; readonly line: number };

const FIELDS: ReadonlySet<string> = new Set(["key", "payload", "payloadBase64", "id"]);

/**
 * Reads one line; `line` counts from 1 and a byte order mark is dropped from the first. A payload
 * that is text is taken as it is, other JSON in compact form with its numbers as they are written,
 * so that 64-bit ones survive. Whether the record may be published is the publisher's to say.
 */
export function parseEventLine(text: string, line: number): EventLine {
  const source = line === 1 ? text.replace(/^\ufeff/, "") : text;
  if (source.trim() === "") return { kind: "blank", line };
  const parsed = parseObject(source);
  const result = typeof parsed === "string" ? parsed : recordOf(parsed, source);
  return typeof result === "string"
    ? { kind: "refused", line, reason: result }
    : { kind: "record", line, record: result };
}

/** A text answer is the reason of a refusal, here and below. */
function parseObject(source: string): Readonly<Record<string, unknown>> | string {
  try {
    const value: unknown = JSON.parse(source);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
    return 'expected a JSON object such as {"key": "player:1", "payload": "..."}';
  } catch (error) {
    return `expected one JSON object on the line: ${(error as SyntaxError).message}`;
  }
}

function recordOf(
  fields: Readonly<Record<string, unknown>>,
  source: string,
): OutgoingRecord | string {
  const unknown = Object.keys(fields).filter((name) => !FIELDS.has(name));
  if (unknown.length > 0) {
    const names = unknown.map((name) => JSON.stringify(name)).join(", ");
    return `expected the fields key, payload or payloadBase64, and id, got also ${names}`;
  }
  const { key, id } = fields;
  if (typeof key !== "string") return `expected \`key\` to be text, got ${kindOf(key)}`;
  if (id !== undefined && typeof id !== "string") {
    return `expected \`id\` to be text, got ${kindOf(id)}`;
  }
  const payload = payloadOf(fields, source);
  if (payload.kind === "refused") return payload.reason;
  return { key, payload: payload.value, ...(id !== undefined && { id }) };
}

type Payload =
  | { readonly kind: "payload"; readonly value: string | Uint8Array }
  | { readonly kind: "refused"; readonly reason: string };

function payloadOf(fields: Readonly<Record<string, unknown>>, source: string): Payload {
  const given = Object.hasOwn(fields, "payload");
  if (given === Object.hasOwn(fields, "payloadBase64")) {
    const reason = `expected either \`payload\` or \`payloadBase64\`, got ${given ? "both" : "neither"}`;
    return { kind: "refused", reason };
  }
  if (!given) return bytesOf(fields["payloadBase64"]);
  const { payload } = fields;
  return typeof payload === "string" ? { kind: "payload", value: payload } : compactPayload(source);
}

/** Node's decoder skips what it does not understand, and an event must not lose bytes unnoticed. */
function bytesOf(text: unknown): Payload {
  if (typeof text === "string") {
    const bytes = Buffer.from(text, "base64");
    if (bytes.toString("base64") === text) return { kind: "payload", value: new Uint8Array(bytes) };
  }
  return { kind: "refused", reason: "expected `payloadBase64` to be padded base64 text" };
}

/** https://tc39.es/proposal-json-parse-with-source/, which TypeScript's library does not list yet. */
type JsonWithSource = {
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): { readonly payload: unknown };
  rawJSON(text: string): unknown;
};

function compactPayload(source: string): Payload {
  const json = JSON as unknown as JsonWithSource;
  try {
    const exact = json.parse(source, (_name, value, context) =>
      typeof value === "number" ? json.rawJSON(context.source ?? String(value)) : value,
    );
    return { kind: "payload", value: JSON.stringify(exact.payload) };
  } catch {
    // Node parses JSON of any depth, but revives and writes it by recursion.
    return {
      kind: "refused",
      reason: "expected JSON in `payload` that is less deeply nested; give it as text instead",
    };
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return "none";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a JSON ${typeof value}`;
}
